/** A bundle in words: "MTN 5GB", and "AFA registration" without a second AFA. */
export function bundleName(network: string | undefined, offer: string): string {
  return network === undefined || offer.startsWith(network) ? offer : `${network} ${offer}`
}
