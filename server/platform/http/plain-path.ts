/**
 * The address of a request as everybody writes it: without `http://host`, and without `%61` for `a`. The router reads all of these as the same, so
 * whatever else looks at an address would be led past otherwise. Letters, digits and `-._~` mean the same either way (RFC 3986, 6.2.2.2).
 */
export function plainPath(url: string): string {
  const path = url.replace(/^https?:\/\/[^/?#]*/i, '')
  const end = path.indexOf('?')
  const [before, query] = end < 0 ? [path, ''] : [path.slice(0, end), path.slice(end)]
  const plain = before.replace(/%[0-9a-f]{2}/gi, (code) => {
    const sign = String.fromCharCode(Number.parseInt(code.slice(1), 16))
    return /[\w.~-]/.test(sign) ? sign : code
  })
  return `${plain.startsWith('/') ? '' : '/'}${plain}${query}`
}
