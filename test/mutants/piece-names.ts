/** A piece of SQL as the page of results names it: a source file is there for its TypeScript as well. */
export function nameOf(piece: string): string {
  return piece.endsWith('.ts') ? `SQL in ${piece}` : piece
}
