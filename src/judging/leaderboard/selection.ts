/** The number that would be at a place if all were sorted in ascending order. Numbers before the place are not larger afterwards, and those
 *  behind it are not smaller; their own order is not known. Much faster than sorting for one place.
 *  @param values Moved about. None may be NaN. */
export function selectInPlace(values: Float64Array, place: number): number {
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const pivot = medianOfThree(values[low], values[(low + high) >>> 1], values[high]);
    let i = low;
    let j = high;
    while (i <= j) {
      while (values[i] < pivot) i++;
      while (values[j] > pivot) j--;
      if (i > j) break;
      const swapped = values[i];
      values[i++] = values[j];
      values[j--] = swapped;
    }
    // from j + 1 to i - 1 all are equal to the pivot
    if (place <= j) high = j;
    else if (place >= i) low = i;
    else break;
  }
  return values[place];
}

function medianOfThree(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}
