import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { makeFolder } from './leftovers.ts'

const MB = 1_000_000
/** ext4's ioctl that stops a file system at once and drops what was not synced, as a power cut does: EXT4_IOC_SHUTDOWN with NOLOGFLUSH. */
const CUT = 'open(my $disk, "<", $ARGV[0]) or die $!; my $how = pack("L", 2); defined(ioctl($disk, 0x8004587d, $how)) or die $!'

/** A small disk of its own (ext4 in a file), mounted in a folder. */
export type LoopDisk = {
  /** Where it is mounted. */
  folder: string
  /** Megabytes that anybody but root may still write. */
  freeMb(): number
  /** Writes a file that leaves so many megabytes. */
  fillUp(leaveMb: number): void
  /** Removes that file. */
  free(): void
  /** From now on nothing can be read or written, and whatever was written but not synced is gone. */
  cutPower(): Promise<void>
  /** Mounts it again; ext4 goes through its journal, as at the start of a machine. */
  plugIn(): void
  remove(): void
}

/** @throws Error where the machine does not let us mount one. */
export function makeLoopDisk(name: string, megabytes: number): LoopDisk {
  const place = makeFolder(name)
  const image = join(place, 'image')
  const folder = join(place, 'disk')
  const filler = join(folder, 'filler')
  const run = (program: string, ...args: string[]) => execFileSync(program, args, { stdio: 'pipe' })
  const mount = () => run('mount', '-o', 'loop', image, folder)
  mkdirSync(folder)
  run('truncate', '-s', String(megabytes * MB), image)
  // Nothing is kept for root, and nothing is written later by itself.
  run('mkfs.ext4', '-q', '-F', '-m', '0', '-E', 'lazy_itable_init=0,lazy_journal_init=0', image)
  mount()
  rmSync(join(folder, 'lost+found'), { recursive: true })
  const freeMb = () => {
    const { bavail, bsize } = statfsSync(folder)
    return (bavail * bsize) / MB
  }
  return {
    folder,
    freeMb,
    fillUp(leaveMb) {
      rmSync(filler, { force: true })
      // The list of its blocks takes some room too, and somebody may take the rest meanwhile.
      for (let megabytes = freeMb() - leaveMb; megabytes > 0; megabytes -= 0.25) {
        try {
          return void run('fallocate', '-l', String(Math.floor(megabytes * MB)), filler)
        } catch {
          rmSync(filler, { force: true })
        }
      }
    },
    free: () => rmSync(filler, { force: true }),
    // Buyers go on meanwhile, so that it is cut in the midst of their purchases.
    cutPower: async () => void (await promisify(execFile)('perl', ['-e', CUT, folder])),
    plugIn() {
      run('umount', folder)
      mount()
    },
    remove() {
      try {
        run('umount', folder)
      } catch {
        run('umount', '-l', folder)
      }
      rmSync(place, { recursive: true, force: true })
    },
  }
}

/** Why no disk of this kind can be had here; null where it can. */
export async function whyNoLoopDisk(): Promise<string | null> {
  if (process.platform !== 'linux') return 'a disk of its own is mounted on Linux alone'
  if (process.getuid?.() !== 0) return 'only root may mount a disk'
  try {
    const disk = makeLoopDisk('probe', 20)
    try {
      await disk.cutPower()
    } finally {
      disk.remove()
    }
    return null
  } catch (error) {
    return `no disk can be mounted here: ${String((error as Error).message).split('\n')[1] ?? 'refused'}`
  }
}
