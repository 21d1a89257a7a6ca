import { isIP } from 'node:net'

const IPV4_IN_IPV6 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/** One IPv4 address, or the /48 of an IPv6 one: what one customer of a provider may have at most, so that 65,536 of `addressKey` are no 65,536 lanes. */
export function networkKey(ip: string): string {
  const key = addressKey(ip)
  return key.endsWith('::/64') ? `${key.split(':').slice(0, 3).join(':')}::/48` : key
}

/** The rate-limiting key of an address: the IPv4 address itself, or its /64 for IPv6, which is what one customer gets. */
export function addressKey(ip: string): string {
  const address = ip.split('%')[0] as string
  const ipv4 = IPV4_IN_IPV6.exec(address)?.[1]
  if (ipv4) return ipv4
  if (isIP(address) !== 6) return ip.slice(0, 64)
  const [head = '', tail] = address.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail ? tail.split(':') : []
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length
  const groups = [...before, ...Array<string>(zeros).fill('0'), ...after]
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
