import { spawn } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { until } from '../until.ts'

type Program = { name: string; program: string; args: string[]; env: NodeJS.ProcessEnv; profile: string; listening: RegExp }

/**
 * Starts a browser that says where it listens, as the first group of `listening`. `end` stops it and deletes its profile.
 * @throws Error with what it printed, when it ends instead or says nothing for a minute.
 */
export async function startBrowser({ name, program, args, env, profile, listening }: Program) {
  const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'pipe'] })
  let printed = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    printed += text
  })
  const address = await until(
    () => {
      if (child.exitCode !== null) throw new Error(`${name} ended:\n${printed}`)
      return listening.exec(printed)?.[1]
    },
    60_000,
    `${name} to listen`,
  )
  const end = async () => {
    child.kill('SIGKILL')
    await until(() => child.exitCode !== null || child.signalCode !== null)
    await rm(profile, { recursive: true, force: true, maxRetries: 5 })
  }
  return { address, end }
}
