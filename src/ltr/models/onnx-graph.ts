import { ProtobufMessage } from './protobuf.js';

/** Codes of TensorProto.DataType and AttributeProto.AttributeType. */
const TYPES = { float: 1, uint8: 2, double: 11 } as const;
const ATTRIBUTES = { integer: 2, text: 3, tensor: 4, floats: 6, integers: 7, texts: 8 } as const;

/** The types of numbers that a graph uses. */
export type OnnxNumber = keyof typeof TYPES;

/** The setting of an operation, by what kind of value it has. */
export type OnnxAttribute =
  | { readonly integer: number }
  | { readonly text: string }
  | { readonly integers: ArrayLike<number> }
  | { readonly floats: ArrayLike<number> }
  | { readonly texts: readonly string[] }
  | { readonly tensor: ProtobufMessage };

/** A graph of operations from `features` (documents × features) to `scores` (documents × 1), built from the front. */
export class OnnxGraph {
  private readonly nodes: ProtobufMessage[] = [];
  private readonly constants: ProtobufMessage[] = [];
  private readonly number: 'float' | 'double';
  private readonly numFeatures: number;
  private made = 0;
  /** The name of what was computed last. */
  current = 'features';

  constructor(number: 'float' | 'double', numFeatures: number) {
    this.number = number;
    this.numFeatures = numFeatures;
  }

  /** Adds an operation on what was computed last and other inputs; the result is what was computed last then. */
  apply(operation: string, others: readonly string[] = [], attributes: Readonly<Record<string, OnnxAttribute>> = {}, domain = ''): string {
    return this.applyTo(operation, [this.current, ...others], attributes, domain);
  }

  applyTo(operation: string, inputs: readonly string[], attributes: Readonly<Record<string, OnnxAttribute>> = {}, domain = ''): string {
    const node = new ProtobufMessage();
    for (const input of inputs) node.text(1, input);
    this.current = `${operation.toLowerCase()}_${this.made++}`;
    node.text(2, this.current).text(3, this.current).text(4, operation);
    for (const [name, attribute] of Object.entries(attributes)) node.message(5, attributeMessage(name, attribute));
    if (domain !== '') node.text(7, domain);
    this.nodes.push(node);
    return this.current;
  }

  /** Numbers that an operation takes beside the documents; a matrix where columns are given. */
  constant(values: ArrayLike<number>, dimensions: readonly number[], number: OnnxNumber = this.number): string {
    const name = `constant_${this.constants.length}`;
    this.constants.push(tensor(values, dimensions, number).text(8, name));
    return name;
  }

  /** The whole file. */
  finish(opsets: Readonly<Record<string, number>>, irVersion: number, documentation: string): Uint8Array {
    const graph = new ProtobufMessage();
    for (const node of this.nodes) graph.message(1, node);
    graph.message(1, new ProtobufMessage().text(1, this.current).text(2, 'scores').text(3, 'scores').text(4, 'Identity'));
    graph.text(2, 'ranker');
    for (const constant of this.constants) graph.message(5, constant);
    graph.message(11, valueInfo('features', this.number, this.numFeatures)).message(12, valueInfo('scores', this.number, 1));
    const model = new ProtobufMessage().integer(1, irVersion).text(2, 'gradus').text(6, documentation).message(7, graph);
    for (const [domain, version] of Object.entries(opsets)) {
      model.message(8, new ProtobufMessage().text(1, domain).integer(2, version));
    }
    return model.finish();
  }
}

/** Little-endian bytes with their dimensions, as TensorProto has them. */
export function tensor(values: ArrayLike<number>, dimensions: readonly number[], number: OnnxNumber): ProtobufMessage {
  const size = number === 'double' ? 8 : number === 'float' ? 4 : 1;
  const bytes = new Uint8Array(values.length * size); // fits: bytes; numbers of kind uint8 are codes below 8
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < values.length; i++) {
    if (number === 'double') view.setFloat64(i * 8, values[i], true);
    else if (number === 'float') view.setFloat32(i * 4, values[i], true);
    else bytes[i] = values[i];
  }
  return new ProtobufMessage().integers(1, dimensions).integer(2, TYPES[number]).bytes(9, bytes);
}

function attributeMessage(name: string, attribute: OnnxAttribute): ProtobufMessage {
  const message = new ProtobufMessage().text(1, name);
  if ('integer' in attribute) return message.integer(3, attribute.integer).integer(20, ATTRIBUTES.integer);
  if ('text' in attribute) return message.text(4, attribute.text).integer(20, ATTRIBUTES.text);
  if ('tensor' in attribute) return message.message(5, attribute.tensor).integer(20, ATTRIBUTES.tensor);
  if ('floats' in attribute) return message.floats(7, Array.from(attribute.floats)).integer(20, ATTRIBUTES.floats);
  if ('integers' in attribute) return message.integers(8, Array.from(attribute.integers)).integer(20, ATTRIBUTES.integers);
  for (const text of attribute.texts) message.text(9, text);
  return message.integer(20, ATTRIBUTES.texts);
}

function valueInfo(name: string, number: 'float' | 'double', columns: number): ProtobufMessage {
  const dimension = (field: 1 | 2, value: number | string): ProtobufMessage =>
    typeof value === 'number' ? new ProtobufMessage().integer(field, value) : new ProtobufMessage().text(field, value);
  const shape = new ProtobufMessage().message(1, dimension(2, 'documents')).message(1, dimension(1, columns));
  const type = new ProtobufMessage().message(1, new ProtobufMessage().integer(1, TYPES[number]).message(2, shape));
  return new ProtobufMessage().text(1, name).message(2, type);
}
