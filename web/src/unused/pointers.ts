/** Stands in the place of Observable Plot's reactions to the mouse: charts say what a mark is in its title, which every browser shows. */
function noPointer(): never {
  throw new Error('charts do not follow the mouse here');
}

export { noPointer as anchorX, noPointer as anchorY, noPointer as pointer, noPointer as pointerX, noPointer as pointerY };
