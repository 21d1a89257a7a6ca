/** The end of the address of a network in the store, after "#", and the id of its place there: "waec-checkers". */
export function networkAnchor(network: string): string {
  return network.toLowerCase().replaceAll(' ', '-')
}
