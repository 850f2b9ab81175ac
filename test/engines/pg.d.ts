declare module 'pg' {
  class Client {
    constructor(options: { host: string; user: string; database: string });
    connect(): Promise<void>;
    query(text: string): Promise<{ rows: Record<string, unknown>[] }>;
    query(options: { text: string; rowMode: 'array' }): Promise<{ rows: unknown[][] }>;
    end(): Promise<void>;
  }
  const pg: { Client: typeof Client };
  export default pg;
}
