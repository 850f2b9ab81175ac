/** Stands in the place of Observable Plot's tips: charts say what a mark is in its title, which every browser shows. */
export class Tip {}

export function tip(): never {
  throw new Error('tips are not drawn here');
}
