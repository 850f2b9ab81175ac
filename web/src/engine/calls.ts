/** Calls from the page to the worker and their answers. A function among the arguments, such as one that is told about progress, stays
 *  on the page, and what the worker says to it comes back by message. */

/** What can be called: functions whose arguments and results are plain data. */
export type Callable = Readonly<Record<string, (...args: never[]) => unknown>>;

export type Remote<Functions extends Callable> = {
  readonly [Name in keyof Functions]: (...args: Parameters<Functions[Name]>) => Promise<Awaited<ReturnType<Functions[Name]>>>;
};

interface Call {
  readonly id: number;
  readonly name: string;
  readonly args: readonly unknown[];
  /** Which of the arguments are functions. */
  readonly functions: readonly number[];
}

type Reply =
  | { readonly id: number; readonly told: readonly unknown[]; readonly argument: number }
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly failure: string };

interface Waiting {
  readonly args: readonly unknown[];
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** The page's side. */
export function connect<Functions extends Callable>(worker: Worker): Remote<Functions> {
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  const end = (id: number): Waiting | undefined => {
    const call = waiting.get(id);
    waiting.delete(id);
    return call;
  };
  worker.addEventListener('message', ({ data }: MessageEvent<Reply>) => {
    if ('told' in data) {
      const listener = waiting.get(data.id)?.args[data.argument];
      if (typeof listener === 'function') listener(...data.told);
    } else if ('result' in data) end(data.id)?.resolve(data.result);
    else end(data.id)?.reject(new Error(data.failure));
  });
  worker.addEventListener('error', ({ message }) => {
    for (const id of [...waiting.keys()]) end(id)?.reject(new Error(message || 'the worker could not be started'));
  });
  const call = (name: string, args: readonly unknown[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const id = ++lastId;
      waiting.set(id, { args, resolve, reject });
      const functions = args.flatMap((arg, i) => (typeof arg === 'function' ? [i] : []));
      const message: Call = { id, name, args: args.map((arg) => (typeof arg === 'function' ? null : arg)), functions };
      worker.postMessage(message);
    });
  return new Proxy({} as Remote<Functions>, {
    get:
      (_, name) =>
      (...args: unknown[]) =>
        call(String(name), args),
  });
}

/** The worker's side. */
export function answerCalls(functions: Callable): void {
  const send = (reply: Reply): void => postMessage(reply);
  addEventListener('message', ({ data: { id, name, args, functions: places } }: MessageEvent<Call>) => {
    const given = args.map((arg, argument) => (places.includes(argument) ? (...told: unknown[]) => send({ id, told, argument }) : arg));
    void (async () => {
      try {
        if (!Object.hasOwn(functions, name)) throw new Error(`there is no ${name}`);
        send({ id, result: await functions[name](...(given as never[])) });
      } catch (error) {
        send({ id, failure: error instanceof Error ? error.message : String(error) });
      }
    })();
  });
}
