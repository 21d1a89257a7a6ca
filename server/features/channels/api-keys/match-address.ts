import { BlockList, isIPv4, isIPv6 } from 'node:net'

/** True if an IP address is one of those listed, or in one of the ranges (CIDR). An empty list matches every address. */
export function matchAddress(list: readonly string[], ip: string): boolean {
  if (list.length === 0) return true
  const allowed = new BlockList()
  for (const entry of list) {
    const [address = '', bits] = entry.split('/')
    const family = isIPv4(address) ? 'ipv4' : 'ipv6'
    if (bits === undefined) allowed.addAddress(address, family)
    else allowed.addSubnet(address, Number(bits), family)
  }
  // A socket that takes both families shows an IPv4 address as ::ffff:203.0.113.12.
  const plain = ip.replace(/^::ffff:(?=[0-9.]+$)/i, '')
  return isIPv4(plain) ? allowed.check(plain, 'ipv4') : isIPv6(plain) && allowed.check(plain, 'ipv6')
}
