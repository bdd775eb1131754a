// Elements of the page. Texts are set as texts: no name of a model is ever read as HTML.

type Child = Node | string | null | undefined | false;

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | boolean | ((event: Event) => void)> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const out = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") out.addEventListener(name, value);
    else if (value === true) out.setAttribute(name, "");
    else if (value !== false) out.setAttribute(name, value);
  }
  out.append(...children.filter((child): child is Node | string => child !== null && child !== undefined && child !== false));
  return out;
}

/** Icons drawn by hand, as paths of a 24 by 24 square. */
const ICONS: Record<string, string> = {
  play: "M7 4.5v15l12-7.5z",
  pause: "M7 5h4v14H7zM13 5h4v14h-4z",
  fit: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
  moon: "M20 14.5A8 8 0 0 1 9.5 4 8 8 0 1 0 20 14.5z",
  camera: "M4 8h3l2-3h6l2 3h3v11H4zM12 16.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7z",
};

export function icon(name: string): SVGSVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  svg.classList.add("icon", `icon-${name}`);
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", ICONS[name] ?? "");
  svg.append(path);
  return svg;
}
