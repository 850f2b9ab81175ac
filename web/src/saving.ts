/** Files that a person takes away. Everything is made here; nothing is sent anywhere. */

export function saveText(name: string, text: string, type: string): void {
  saveBlob(name, new Blob([text], { type: `${type};charset=utf-8` }));
}

export function saveBlob(name: string, blob: Blob): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // the browser reads the file after the click
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** The drawing as a file of its own. */
export function svgText(svg: SVGSVGElement): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(copy)}\n`;
}

/** A drawing with its title above it, because a picture that was taken away has no page around it. */
export function withTitle(svg: SVGSVGElement, title: string, colour: string): SVGSVGElement {
  const HEAD = 34;
  const space = 'http://www.w3.org/2000/svg';
  const width = Number(svg.getAttribute('width'));
  const height = Number(svg.getAttribute('height')) + HEAD;
  const whole = document.createElementNS(space, 'svg');
  for (const [name, value] of Object.entries({
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
    'font-family': 'system-ui, sans-serif',
  })) {
    whole.setAttribute(name, String(value));
  }
  const words = document.createElementNS(space, 'text');
  for (const [name, value] of Object.entries({ x: 8, y: 22, 'font-size': 16, 'font-weight': 600, fill: colour })) {
    words.setAttribute(name, String(value));
  }
  words.textContent = title;
  svg.setAttribute('y', String(HEAD));
  whole.append(words, svg);
  return whole;
}

/** The drawing as pixels, twice as many as on the page, on paper of its own. */
export async function pngOf(svg: SVGSVGElement, paper: string): Promise<Blob> {
  const scale = 2;
  const width = Number(svg.getAttribute('width'));
  const height = Number(svg.getAttribute('height'));
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgText(svg))}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = width * scale;
  canvas.height = height * scale;
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('this browser cannot draw pixels');
  context.fillStyle = paper;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return await new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob === null ? reject(new Error('the picture could not be made')) : resolve(blob)), 'image/png');
  });
}
