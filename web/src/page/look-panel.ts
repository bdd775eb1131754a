// What the view shows: how large the deformation is drawn, and what else is there.

import { short } from "../data/numbers";
import { gradient } from "../stage/colour";
import type { StageLook } from "../stage/stage";
import { element, icon } from "./element";

const DECADES = 4;

/** A place on the slider for a scale: logarithmic, with zero at its left end. */
const toSlider = (scale: number) => (scale < 1 ? 0 : 5 + (95 * Math.log10(scale)) / DECADES);
const fromSlider = (place: number) => (place < 2.5 ? 0 : Number((10 ** ((DECADES * Math.max(place - 5, 0)) / 95)).toPrecision(2)));

export function lookPanel(look: StageLook, flexible: boolean, changed: () => void, camera: (view: "fit" | "x" | "y" | "z") => void, picture: () => void): HTMLElement {
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
  const check = (text: string, key: "ghost" | "frames" | "paths" | "colour" | "names" | "follow", title: string) => {
    const box = element("input", { type: "checkbox", checked: look[key], "data-look": key, change: () => {
      look[key] = box.checked;
      changed();
    } });
    return element("label", { class: "check", title }, box, text);
  };
  const view = (name: "x" | "y" | "z") => element("button", { type: "button", class: "tool", title: `Look along ${name}`, click: () => camera(name) }, name);
  return element(
    "div",
    { class: "look" },
    flexible && element("label", { class: "scale-line" }, element("span", {}, "Deformation"), slider, told),
    element(
      "div",
      { class: "checks" },
      flexible && check("Colour", "colour", "Colour by deflection"),
      flexible && check("Rigid ghost", "ghost", "The same hinge motion without deformation"),
      check("Paths", "paths", "Paths of the outermost nodes"),
      check("Frames", "frames", "Axes of every body"),
      check("Names", "names", "Names of the bodies"),
      check("Follow", "follow", "The camera moves with the bodies"),
      element(
        "span",
        { class: "tools" },
        element("button", { type: "button", class: "tool", title: "Show all (F)", "aria-label": "Show all", click: () => camera("fit") }, icon("fit")),
        view("x"),
        view("y"),
        view("z"),
        element("button", { type: "button", class: "tool", title: "Save a picture", "aria-label": "Save a picture", click: picture }, icon("camera")),
      ),
    ),
  );
}

/** The scale of colours. */
export function legend(greatest: number): HTMLElement {
  const [most, unit] = greatest < 0.1 ? [1000 * greatest, "mm"] : [greatest, "m"];
  return element(
    "div",
    { class: "legend" },
    element("span", { class: "legend-title" }, "Deflection"),
    element("span", {}, "0"),
    element("span", { class: "legend-bar", style: `background:${gradient}` }),
    element("span", { class: "legend-most" }, `${short(most)} ${unit}`),
  );
}
