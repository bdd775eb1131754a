// What the view shows: how large the deformation is drawn, and what else is there.

import { short } from "../data/numbers";
import { type Greatest, has, inWords, type Quantity, words } from "../data/quantity";
import type { Recording } from "../data/recording";
import { gradient } from "../stage/colour";
import type { StageLook } from "../stage/stage";
import { element, icon } from "./element";

const DECADES = 4;

/** A place on the slider for a scale: logarithmic, with zero at its left end. */
const toSlider = (scale: number) => (scale < 1 ? 0 : 5 + (95 * Math.log10(scale)) / DECADES);
const fromSlider = (place: number) => (place < 2.5 ? 0 : Number((10 ** ((DECADES * Math.max(place - 5, 0)) / 95)).toPrecision(2)));

export function lookPanel(look: StageLook, quantities: Quantity[], changed: () => void, camera: (view: "fit" | "x" | "y" | "z") => void, picture: () => void, still = false): HTMLElement {
  const flexible = quantities.length > 0;
  const told = element("output", { class: "told-scale" });
  const slider = element("input", { type: "range", min: "0", max: "100", step: "0.1", class: "scale", "aria-label": "Scale of the deformation", input: () => {
    look.scale = fromSlider(Number(slider.value));
    show();
    changed();
  } });
  const show = () => {
    told.textContent = look.scale === 0 ? "rigid" : look.scale === 1 ? "true size" : `${short(look.scale)}×`;
    slider.setAttribute("aria-valuetext", told.textContent);
  };
  slider.value = String(toSlider(look.scale));
  show();
  const check = (text: string, key: "ghost" | "frames" | "paths" | "names" | "follow", title: string) => {
    const box = element("input", { type: "checkbox", checked: look[key], "data-look": key, change: () => {
      look[key] = box.checked;
      changed();
    } });
    return element("label", { class: "check", title }, box, text);
  };
  const colours = element(
    "select",
    { "data-look": "colour", "aria-label": "Quantity shown as colour", change: () => {
      look.colour = colours.value as StageLook["colour"];
      changed();
    } },
    ...[...quantities, "none" as const].map((name) => element("option", { value: name }, name)),
  );
  colours.value = look.colour;
  const view = (name: "x" | "y" | "z") => element("button", { type: "button", class: "tool", title: `Look along ${name}`, click: () => camera(name) }, name);
  return element(
    "div",
    { class: "look" },
    flexible && element("label", { class: "scale-line" }, element("span", {}, "Deformation"), slider, told),
    element(
      "div",
      { class: "checks" },
      flexible && element("label", { class: "check", title: "Quantity shown as colour on flexible bodies" }, "Colour", colours),
      flexible && check("Rigid ghost", "ghost", "Undeformed bodies, same hinge motion"),
      !still && check("Paths", "paths", "Paths of the outermost nodes"),
      check("Frames", "frames", "Frame axes of every body"),
      check("Names", "names", "Names of the bodies"),
      !still && check("Follow", "follow", "Camera follows the bodies"),
      element(
        "span",
        { class: "tools" },
        element("button", { type: "button", class: "tool", title: "Show all (F)", "aria-label": "Show all", click: () => camera("fit") }, icon("fit")),
        view("x"),
        view("y"),
        view("z"),
        element("button", { type: "button", class: "tool", title: "Save image", "aria-label": "Save image", click: picture }, icon("camera")),
      ),
    ),
  );
}

/** The scale of colours; empty where they tell nothing. */
export function legend(quantity: Quantity | "none", greatest: Greatest, recordings: Recording[]): HTMLElement {
  if (quantity === "none") return element("div", { class: "legend", "data-quantity": quantity, hidden: true });
  const most = greatest[quantity];
  const partly = recordings.some((recording) => recording.bodies.some((body) => body.modes > 0 && !has(body, quantity)));
  return element(
    "div",
    { class: "legend", "data-quantity": quantity },
    element("span", { class: "legend-title" }, words(quantity, most).title + (partly ? (quantity === "strain" ? ", of beams with a section" : ", of bodies on a line") : "")),
    element("span", {}, "0"),
    element("span", { class: "legend-bar", style: `background:${gradient}` }),
    element("span", { class: "legend-most" }, inWords(quantity, most)),
  );
}
