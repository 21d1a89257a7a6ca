import { BlockList, isIP, isIPv4 } from 'node:net'

/** What is not the public internet: IANA's special-purpose registries (RFC 6890 and its successors), and IPv4 inside IPv6. */
const NOT_PUBLIC = new BlockList()
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  NOT_PUBLIC.addSubnet(net, bits, 'ipv4')
}
/** Only 2000::/3 is handed out; these are the parts of it that lead elsewhere. */
for (const [net, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  NOT_PUBLIC.addSubnet(net, bits, 'ipv6')
}
const HANDED_OUT = new BlockList()
HANDED_OUT.addSubnet('2000::', 3, 'ipv6')

/** True for an IP address that anybody on the internet may have: not private, local, link-local, reserved or multicast. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !NOT_PUBLIC.check(address, 'ipv4')
  return isIP(address) === 6 && HANDED_OUT.check(address, 'ipv6') && !NOT_PUBLIC.check(address, 'ipv6')
}

/** Why nothing may be sent to an address that somebody typed, or null. Where its name leads is looked at when it is sent. */
export function webhookUrlProblem(text: string, { allowPrivate }: { allowPrivate: boolean }): string | null {
  if (!URL.canParse(text)) return 'Enter a whole address, such as https://example.com/hooks.'
  const { protocol, username, password, hostname, port, hash } = new URL(text)
  if (username !== '' || password !== '') return 'Leave the user name and password out of the address.'
  if (hash !== '') return 'Leave out what follows the #.'
  if (allowPrivate) return protocol === 'https:' || protocol === 'http:' ? null : 'The address begins with https://'
  if (protocol !== 'https:') return 'The address begins with https://'
  if (port !== '' && Number(port) < 1024) return 'Use the usual port of https, or one above 1023.'
  // A name may end in the dot of the root.
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (isIP(host) !== 0 && !isPublicAddress(host)) return 'That address is not on the public internet.'
  if (isIP(host) === 0 && (!host.includes('.') || /\.(?:local|localhost|internal|home\.arpa)$/.test(host))) {
    return 'That address is not on the public internet.'
  }
  return null
}
