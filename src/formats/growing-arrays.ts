/** A Float64Array that gets longer. */
export class GrowingFloats {
  private values: Float64Array = new Float64Array(1024);
  length = 0;

  push(value: number): void {
    if (this.length === this.values.length) {
      const larger = new Float64Array(this.length * 2);
      larger.set(this.values);
      this.values = larger;
    }
    this.values[this.length++] = value;
  }

  /** The values at these places, or all of them. */
  take(places: Uint32Array | undefined): Float64Array {
    const { values } = this;
    return places === undefined ? values.slice(0, this.length) : Float64Array.from(places, (place) => values[place]);
  }
}

/** A Uint32Array that gets longer. */
export class GrowingInts {
  private values: Uint32Array = new Uint32Array(1024); // fits: entries
  length = 0;

  push(value: number): void {
    if (this.length === this.values.length) {
      const larger = new Uint32Array(this.length * 2); // fits: entries
      larger.set(this.values);
      this.values = larger;
    }
    this.values[this.length++] = value;
  }

  at(place: number): number {
    return this.values[place];
  }

  /** The values at these places, or all of them. */
  take(places: Uint32Array | undefined): Uint32Array {
    const { values } = this;
    return places === undefined ? values.slice(0, this.length) : Uint32Array.from(places, (place) => values[place]); // fits: entries
  }
}
