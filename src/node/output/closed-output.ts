import { fstatSync, readlinkSync, readSync, realpathSync, statSync } from 'node:fs';
import { basename } from 'node:path';

const shells = ['sh', 'bash', 'dash', 'ash', 'zsh', 'ksh', 'mksh', 'fish', 'busybox', 'tcsh'];

/** Whether standard output was closed when the program started, as by `>&-` in a shell. Node then opens the null device in its
 *  place, for reading and writing, and all that is printed is lost without an error. Other programs hand the null device on in
 *  the same way because they do not want the output (Python's DEVNULL, 'ignore' of Node), so it is taken for closed only where a
 *  shell has started this program: for `> /dev/null` a shell opens it for writing alone. */
export function wasClosed(descriptor: number): boolean {
  if (process.platform === 'win32' || !isNullDevice(descriptor) || !isReadable(descriptor)) return false;
  return startedByShell() && !isNullDevice(`/proc/${process.ppid}/fd/${descriptor}`);
}

function isNullDevice(where: number | string): boolean {
  try {
    const stat = typeof where === 'number' ? fstatSync(where) : statSync(where);
    return stat.isCharacterDevice() && stat.rdev === statSync('/dev/null').rdev;
  } catch {
    return false;
  }
}

function isReadable(descriptor: number): boolean {
  try {
    // the null device is at its end at once
    return readSync(descriptor, new Uint8Array(1), 0, 1, null) === 0;
  } catch {
    return false;
  }
}

/** By the variable in which shells tell a command where it was found, or by the name of the parent where the system shows it. */
function startedByShell(): boolean {
  try {
    if (process.env._ !== undefined && realpathSync(process.env._) === realpathSync(process.argv[1])) return true;
  } catch {
    // not a path
  }
  try {
    return shells.includes(basename(readlinkSync(`/proc/${process.ppid}/exe`)));
  } catch {
    return false;
  }
}
