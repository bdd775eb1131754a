// The choice of a version above each page, where the book is part of a site with versions (crates/supple-docs/src/site/mod.rs). The list of versions
// is a script of the site: it can be read without a server.
(() => {
    "use strict";
    const root = new URL(path_to_root || "./", document.baseURI);
    const folder = root.pathname.split("/").filter((part) => part).at(-1);
    const page = document.location.pathname.slice(root.pathname.length) || "index.html";

    const make = (name, properties, ...children) => {
        const node = Object.assign(document.createElement(name), properties);
        node.append(...children);
        return node;
    };
    const address = (place, book) => new URL(`../${place}/${book.pages.includes(page) ? page : "index.html"}`, root).href;

    const show = (books) => {
        const own = books.find((book) => book.version === folder) ?? books[0];
        const latest = books[0];
        const choice = make("select", { className: "version-choice", title: "Version" });
        choice.setAttribute("aria-label", "Version");
        choice.append(make("option", { value: address("latest", latest), selected: folder === "latest" }, `latest (${latest.version})`));
        for (const book of books) {
            choice.append(make("option", { value: address(book.version, book), selected: book.version === folder }, book.version));
        }
        choice.addEventListener("change", () => document.location.assign(choice.value));
        const buttons = document.querySelector("#mdbook-menu-bar .right-buttons");
        if (own.api) {
            const api = new URL(`../${own.version}/api/index.html`, root).href;
            buttons.prepend(make("a", { className: "version-api", href: api, title: "Pages of the libraries" }, "API"));
        }
        buttons.prepend(choice);
        if (own !== latest) {
            const link = make("a", { href: address("latest", latest) }, `version ${latest.version}`);
            document.querySelector("main").prepend(make("p", { className: "version-note" }, `This is the book of version ${own.version}. The latest is `, link, "."));
        }
    };

    const list = make("script", { src: new URL("../versions.js", root).href });
    // A book on its own has no list, and no choice.
    list.addEventListener("load", () => window.suppleVersions?.length && show(window.suppleVersions));
    document.head.append(list);
})();
