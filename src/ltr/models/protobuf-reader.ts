import { InputError } from '../../core/problem.js';

/** One field of a message: a whole number, or bytes of a nested message, a text or packed numbers. */
interface Field {
  readonly wire: number;
  readonly number: number;
  readonly bytes: Uint8Array;
}

const NO_BYTES = new Uint8Array(0);

/** A message of Protocol Buffers, as much as ONNX needs: fields by their numbers, in the order of the file. */
export class ProtobufFields {
  private readonly fields = new Map<number, Field[]>();

  constructor(bytes: Uint8Array) {
    const reader = new Bytes(bytes);
    while (!reader.atEnd) {
      const tag = reader.varint();
      const wire = tag % 8;
      const id = Math.floor(tag / 8);
      const number = wire === 0 ? reader.varint() : 0;
      const length = wire === 2 ? reader.varint() : wire === 5 ? 4 : wire === 1 ? 8 : 0;
      if (![0, 1, 2, 5].includes(wire)) throw new InputError('the file is not Protocol Buffers, which ONNX files are');
      const list = this.fields.get(id) ?? [];
      list.push({ wire, number, bytes: wire === 0 ? NO_BYTES : reader.take(length) });
      this.fields.set(id, list);
    }
  }

  has(id: number): boolean {
    return this.fields.has(id);
  }

  messages(id: number): ProtobufFields[] {
    return this.all(id).map(({ bytes }) => new ProtobufFields(bytes));
  }

  bytes(id: number): Uint8Array {
    return this.all(id).at(-1)?.bytes ?? NO_BYTES;
  }

  texts(id: number): string[] {
    return this.all(id).map(({ bytes }) => new TextDecoder().decode(bytes));
  }

  text(id: number): string {
    return this.texts(id).at(-1) ?? '';
  }

  /** Whole numbers, one field each or packed. */
  integers(id: number): number[] {
    return this.all(id).flatMap(({ wire, number, bytes }) => {
      if (wire === 0) return [number];
      const reader = new Bytes(bytes);
      const found: number[] = [];
      while (!reader.atEnd) found.push(reader.varint());
      return found;
    });
  }

  integer(id: number): number {
    return this.integers(id).at(-1) ?? 0;
  }

  /** Floats of 4 or 8 bytes, one field each or packed. */
  floats(id: number, size: 4 | 8 = 4): number[] {
    return this.all(id).flatMap(({ bytes }) => floatsOf(bytes, size));
  }

  private all(id: number): readonly Field[] {
    return this.fields.get(id) ?? [];
  }
}

/** Little-endian floats, side by side. */
export function floatsOf(bytes: Uint8Array, size: 4 | 8): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: Math.floor(bytes.length / size) }, (_, i) =>
    size === 4 ? view.getFloat32(i * 4, true) : view.getFloat64(i * 8, true),
  );
}

class Bytes {
  private readonly bytes: Uint8Array;
  private at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  get atEnd(): boolean {
    return this.at >= this.bytes.length;
  }

  /** Seven bits per byte, the lowest first; negative numbers take ten bytes. */
  varint(): number {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const [byte] = this.take(1);
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return Number(BigInt.asIntN(64, value));
    }
    throw new InputError('the file is not Protocol Buffers, which ONNX files are');
  }

  take(length: number): Uint8Array {
    if (!(length >= 0) || this.at + length > this.bytes.length) {
      throw new InputError({ message: 'the ONNX file is cut off', wayOut: 'save the model again' });
    }
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }
}
