import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Stands for the public internet; every other address of this machine is private. */
export const INTERNET = '127.77.0.1'

/** Addresses that an agent could type to reach this machine or its network. A shop that sent there would reach the port. */
export function typedTricks(port: number): string[] {
  const ways = [
    ...['127.0.0.1', '127.1', '127.0.0.1.', '127.127.127.127', '0.0.0.0', '0'],
    // The same number, written otherwise.
    ...['2130706433', '0x7f000001', '0x7f.0.0.1', '0x7f.1', '017700000001', '0177.0.0.1', '0177.1', '127.0.0x0.01'],
    // Letters and dots that a parser of addresses makes plain.
    ...[
      '①②⑦.0.0.1',
      '１２７.0.0.1',
      '127。0。0。1',
      '127．0．0．1',
      '%31%32%37.0.0.1',
      '127%2e0.0.1',
      '127.\t0.0.1',
      '127.0.0.1%00.example.com',
    ],
    // IPv6: itself, IPv4 inside (mapped, compatible, translated, 6to4, Teredo, ISATAP), link-local, private, with a zone.
    ...[
      '[::1]',
      '[::]',
      '[0:0:0:0:0:0:0:1]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[0:0:0:0:0:ffff:7f00:0001]',
      '[::127.0.0.1]',
      '[::7f00:1]',
    ],
    ...['[::ffff:0:127.0.0.1]', '[64:ff9b::127.0.0.1]', '[64:ff9b::7f00:1]', '[64:ff9b:1::7f00:1]', '[2002:7f00:1::]', '[2002:7f00:1::1]'],
    ...[
      '[2001:0:7f00:1::80ff:fffe]',
      '[fe80::5efe:7f00:1]',
      '[fe80::1]',
      '[fe80::1%25lo]',
      '[fc00::1]',
      '[fd00:ec2::254]',
      '[100::1]',
      '[ff02::1]',
    ],
    ...[
      '10.0.0.1',
      '172.16.0.1',
      '192.168.0.1',
      '169.254.169.254',
      '100.100.100.200',
      '192.0.0.192',
      '198.18.0.1',
      '224.0.0.1',
      '255.255.255.255',
    ],
    ...[
      'localhost',
      'LOCALHOST',
      'localhost.',
      'a.localhost',
      'localhost.localdomain.local',
      'db.internal',
      'metadata.google.internal',
      'printer.local',
    ],
    ...['router.home.arpa', 'metadata', 'postgres'],
    // Whose host is it?
    ...[`${INTERNET}@127.0.0.1`, `user:password@${INTERNET}`, `127.0.0.1#@${INTERNET}`, `127.0.0.1\\@${INTERNET}`],
  ]
  return [
    ...ways.map((host) => `https://${host}:${port}/hook`),
    ...['http:', 'ftp:', 'file:', 'gopher:', 'ws:', 'data:', 'javascript:'].map((scheme) => `${scheme}//${INTERNET}:${port}/hook`),
    ...[22, 25, 53, 80, 111, 445].map((other) => `https://${INTERNET}:${other}/hook`),
    ...[`https:127.0.0.1:${port}/hook`, `https:/127.0.0.1:${port}/hook`, `https:\\\\127.0.0.1:${port}/hook`, `//127.0.0.1:${port}/hook`],
    ...[`https://127.0.0.1:${port}/hook `, `\thttps://127.0.0.1:${port}/hook`, `unix:/var/run/docker.sock:/hook`, '127.0.0.1', ''],
  ]
}

type Answer = { a?: string[]; aaaa?: string[]; cname?: string }
type Name = { host: string; path: string; answer: (nth: number) => Answer }

/** Hosts whose names lead here only when they are asked for, now or later. `nth` counts the questions about a name. */
export function namedTricks(): Name[] {
  const still = (host: string, answer: Answer): Name => ({ host, path: '/hook', answer: () => answer })
  return [
    still('private', { a: ['127.0.0.1'] }),
    still('another-private', { a: ['127.200.3.4'] }),
    still('nowhere', { a: ['0.0.0.0'] }),
    still('six', { aaaa: ['::1'] }),
    still('mapped', { aaaa: ['::ffff:7f00:1'] }),
    still('both', { a: [INTERNET], aaaa: ['::1'] }),
    still('first-public', { a: [INTERNET, '127.0.0.1'] }),
    still('last-public', { a: ['127.0.0.1', INTERNET] }),
    still('alias', { cname: 'localhost', a: ['127.0.0.1'] }),
    { host: 'rebinds', path: '/hook', answer: (nth) => ({ a: [nth === 0 ? INTERNET : '127.0.0.1'] }) },
    { host: 'rebinds-later', path: '/hook', answer: (nth) => ({ a: [nth < 2 ? INTERNET : '127.0.0.1'] }) },
    { host: 'turns', path: '/hook', answer: (nth) => ({ a: [nth % 2 === 0 ? '127.0.0.1' : INTERNET] }) },
    ...[301, 302, 303, 307, 308].map((status) => ({ host: 'sends-on', path: `/redirect/${status}`, answer: () => ({ a: [INTERNET] }) })),
    { host: 'refreshes', path: '/refresh', answer: () => ({ a: [INTERNET] }) },
  ]
}

export type Trap = {
  port: number
  namesAt: string
  /** Connections that came to another address than `INTERNET`. */
  reached: string[]
  /** Requests that came to `INTERNET`, as `host path`. */
  arrived: string[]
  close(): Promise<void>
}

/** Listens at one port of all addresses of this machine, and answers for the names of `namedTricks` below any domain. */
export async function openTrap(): Promise<Trap> {
  const server = createServer((request, reply) => {
    trap.arrived.push(`${request.headers.host?.split('.')[0]} ${request.url}`)
    const inside = `https://127.0.0.1:${trap.port}/inside`
    const status = Number(/^\/redirect\/(\d+)/.exec(request.url ?? '')?.[1] ?? 200)
    reply.writeHead(status, { location: inside, refresh: `0; url=${inside}`, link: `<${inside}>; rel=preload` }).end()
  })
  server.on('connection', ({ localAddress }) => {
    if (localAddress?.replace('::ffff:', '') !== INTERNET) trap.reached.push(`${localAddress}`)
  })
  server.listen(0, '::')
  const names = createSocket('udp4').bind(0, '127.0.0.1')
  await Promise.all([once(server, 'listening'), once(names, 'listening')])
  const answers = new Map(namedTricks().map(({ host, answer }) => [host, answer]))
  const asked = new Map<string, number>()
  names.on('message', (question, { port }) => {
    const end = question.indexOf(0, 12) + 1
    const name = question.subarray(12, end)
    const host = name.toString('latin1', 1, 1 + (name[0] ?? 0)).toLowerCase()
    const kind = question.readUInt16BE(end)
    const key = `${kind} ${name.toString('latin1').toLowerCase()}`
    const nth = asked.get(key) ?? 0
    asked.set(key, nth + 1)
    names.send(composeAnswer(question, end, kind, answers.get(host)?.(nth) ?? {}), port, '127.0.0.1')
  })
  const trap: Trap = {
    port: (server.address() as AddressInfo).port,
    namesAt: `127.0.0.1:${names.address().port}`,
    reached: [],
    arrived: [],
    async close() {
      names.close()
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
  return trap
}

const [A, CNAME, AAAA] = [1, 5, 28]

/** A DNS message (RFC 1035): the question, and the records that answer it, which are not to be kept. */
function composeAnswer(question: Buffer, end: number, kind: number, { a = [], aaaa = [], cname }: Answer): Buffer {
  const aliasBytes = cname === undefined ? null : Buffer.concat([...cname.split('.').map(label), Buffer.of(0)])
  const owner = aliasBytes ?? Buffer.of(0xc0, 0x0c)
  const addresses = kind === A ? a.map((text) => Buffer.from(text.split('.').map(Number))) : kind === AAAA ? aaaa.map(sixBytes) : []
  const records = [
    ...(aliasBytes ? [record(Buffer.of(0xc0, 0x0c), CNAME, aliasBytes)] : []),
    ...addresses.map((data) => record(owner, kind, data)),
  ]
  const head = Buffer.alloc(12)
  question.copy(head, 0, 0, 2)
  head.writeUInt16BE(0x8180, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(records.length, 6)
  return Buffer.concat([head, question.subarray(12, end + 4), ...records])
}

function record(owner: Buffer, kind: number, data: Buffer): Buffer {
  const fixed = Buffer.alloc(10)
  fixed.writeUInt16BE(kind, 0)
  fixed.writeUInt16BE(1, 2)
  fixed.writeUInt16BE(data.length, 8)
  return Buffer.concat([owner, fixed, data])
}

function label(text: string): Buffer {
  return Buffer.concat([Buffer.of(text.length), Buffer.from(text)])
}

/** The bytes of an IPv6 address written with one `::`. */
function sixBytes(text: string): Buffer {
  const [before = [], after = []] = text.split('::').map((part) => (part === '' ? [] : part.split(':')))
  const words = [...before, ...Array.from({ length: 8 - before.length - after.length }, () => '0'), ...after]
  return Buffer.from(words.map((word) => word.padStart(4, '0')).join(''), 'hex')
}
