// A Spark cluster on this machine: one master and two workers that know each other through the loopback address only.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Installs Spark from PyPI into a virtual environment and answers with its home. Java 17 has to be there. */
export function installSpark(folder) {
  const python = join(folder, 'bin', 'python');
  if (!existsSync(python)) execFileSync('python3', ['-m', 'venv', folder], { stdio: 'inherit' });
  const homes = () => readdirSync(join(folder, 'lib')).map((name) => join(folder, 'lib', name, 'site-packages', 'pyspark'));
  if (!homes().some((home) => existsSync(home))) execFileSync(python, ['-m', 'pip', 'install', '-q', 'pyspark'], { stdio: 'inherit' });
  return homes().find((home) => existsSync(home));
}

/** Starts the cluster. Ports are chosen by the caller, so that two clusters do not meet. */
export async function startCluster({ home, folder, port = 17077, workerMemory = '4g', cores = 1 }) {
  mkdirSync(folder, { recursive: true });
  const environment = {
    ...process.env,
    SPARK_HOME: home,
    SPARK_LOCAL_IP: '127.0.0.1',
    SPARK_LOCAL_DIRS: join(folder, 'local'),
    SPARK_NO_DAEMONIZE: '1',
  };
  const start = (name, ...args) => {
    const log = openSync(join(folder, `${name}.log`), 'w');
    // of its own process group, so that it can be ended together with what it starts
    return spawn(join(home, 'bin', 'spark-class'), args, { env: environment, stdio: ['ignore', log, log], detached: true });
  };
  const master = start(
    'master',
    'org.apache.spark.deploy.master.Master',
    '--host',
    '127.0.0.1',
    '--port',
    `${port}`,
    '--webui-port',
    `${port + 1}`,
  );
  const url = `spark://127.0.0.1:${port}`;
  const status = async () => {
    try {
      return await (await fetch(`http://127.0.0.1:${port + 1}/json/`)).json();
    } catch {
      return undefined;
    }
  };
  const until = async (what, condition, seconds = 120) => {
    for (let waited = 0; waited < seconds * 4; waited++) {
      if (await condition()) return;
      await sleep(250);
    }
    throw new Error(`${what} did not happen within ${seconds} s; see the logs in ${folder}`);
  };
  await until('the start of the master', async () => (await status()) !== undefined);
  const workers = [1, 2].map((n) =>
    start(
      `worker${n}`,
      'org.apache.spark.deploy.worker.Worker',
      url,
      '--host',
      '127.0.0.1',
      '--cores',
      `${cores}`,
      '--memory',
      workerMemory,
      '--work-dir',
      join(folder, `work${n}`),
    ),
  );
  await until('the start of both workers', async () => (await status())?.aliveworkers === 2);
  const stop = (child) => {
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // it is gone already
    }
  };
  return {
    url,
    environment,
    status,
    workers,
    /** Ends a worker and everything that it started, without warning. */
    kill: (n) => {
      for (const pid of [...childrenOf(workers[n].pid), workers[n].pid].reverse()) {
        try {
          process.kill(pid, 'SIGKILL');
        } catch {
          // it is gone already
        }
      }
    },
    /** The largest amount of memory that each executor has taken so far, in MB. */
    executorPeaks: () => executors(workers).map((pid) => peakMemory(pid)),
    stop: () => [...workers, master].forEach(stop),
  };
}

/** All processes below one, the deepest last. */
export function childrenOf(pid) {
  const found = [];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      if (Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === pid) found.push(Number(name), ...childrenOf(Number(name)));
    } catch {
      // it ended while we looked
    }
  }
  return found;
}

function executors(workers) {
  return workers
    .flatMap(({ pid }) => childrenOf(pid))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('CoarseGrainedExecutorBackend');
      } catch {
        return false;
      }
    });
}

/** The most memory a process ever had resident, in MB. */
export function peakMemory(pid) {
  try {
    return Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024);
  } catch {
    return 0;
  }
}
