import { joinChunks } from '../../formats/text/byte-writer.js';

/** Writing of Protocol Buffers, as much as ONNX needs. A message is a list of fields, written in the order of the calls. */
export class ProtobufMessage {
  private readonly parts: Uint8Array[] = [];

  integer(field: number, value: number): this {
    this.parts.push(varint(field << 3), varint(value));
    return this;
  }

  text(field: number, value: string): this {
    return this.bytes(field, new TextEncoder().encode(value));
  }

  bytes(field: number, value: Uint8Array): this {
    this.parts.push(varint((field << 3) | 2), varint(value.length), value);
    return this;
  }

  message(field: number, value: ProtobufMessage): this {
    return this.bytes(field, value.finish());
  }

  integers(field: number, values: Iterable<number>): this {
    return this.bytes(field, joinChunks(Array.from(values, varint)));
  }

  /** 32-bit floats, one field after the other. */
  floats(field: number, values: Iterable<number>): this {
    for (const value of values) {
      const bytes = new Uint8Array(4);
      new DataView(bytes.buffer).setFloat32(0, value, true);
      this.parts.push(varint((field << 3) | 5), bytes);
    }
    return this;
  }

  finish(): Uint8Array {
    return joinChunks(this.parts);
  }
}

/** Seven bits per byte, the lowest first. Negative numbers do not occur in models. */
function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 128) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
  return Uint8Array.from(bytes); // fits: seven bits and a mark for more
}
