/** The hashes of the XXH family take whole stripes of bytes, and what is left in the end. This holds what is not yet a stripe. */
export abstract class StripedChecksum {
  protected readonly heldView: DataView;
  protected numHeld = 0;
  /** Bytes so far. */
  protected total = 0;
  private readonly held: Uint8Array;
  private readonly stripe: number;

  /** @param stripe How many bytes are one: a power of two. */
  constructor(stripe: number) {
    this.stripe = stripe;
    this.held = new Uint8Array(stripe);
    this.heldView = new DataView(this.held.buffer);
  }

  reset(): void {
    this.numHeld = 0;
    this.total = 0;
  }

  /** Takes bytes[start..end).
   *  @param view Shows the same bytes; whoever has one at hand saves making one. */
  update(
    bytes: Uint8Array,
    start: number,
    end: number,
    view: DataView = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength),
  ): void {
    const { stripe, held } = this;
    this.total += end - start;
    let at = start;
    if (this.numHeld > 0) {
      const taken = Math.min(stripe - this.numHeld, end - start);
      held.set(bytes.subarray(start, start + taken), this.numHeld);
      this.numHeld += taken;
      at += taken;
      if (this.numHeld < stripe) return;
      this.takeStripes(this.heldView, 0, stripe);
      this.numHeld = 0;
    }
    const whole = at + ((end - at) & ~(stripe - 1));
    this.takeStripes(view, at, whole);
    held.set(bytes.subarray(whole, end));
    this.numHeld = end - whole;
  }

  /** Mixes the whole stripes from `start` to `end` into the lanes. */
  protected abstract takeStripes(view: DataView, start: number, end: number): void;
}
