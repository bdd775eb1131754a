// The view as a picture to keep.

/** A copy of a canvas on the colour of the page, with words at its foot. */
export function labelled(canvas: HTMLCanvasElement, words: string, dark: boolean): HTMLCanvasElement {
  const out = document.createElement("canvas");
  [out.width, out.height] = [canvas.width, canvas.height];
  const g = out.getContext("2d");
  if (g === null) return canvas;
  g.fillStyle = dark ? "#10151d" : "#ffffff";
  g.fillRect(0, 0, out.width, out.height);
  g.drawImage(canvas, 0, 0);
  const size = Math.max(12, out.width / 60);
  g.font = `${size}px system-ui, sans-serif`;
  g.fillStyle = dark ? "#e6ebf2" : "#1b2430";
  g.fillText(words, size, out.height - size);
  return out;
}
