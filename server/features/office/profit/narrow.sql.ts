/** Of all orders, or of those of a network, of a supplier or of both. */
export type Filter = { network: string | null; supplier: string | null }

/**
 * The condition for $3 and $4, network and supplier, and what tells a statement's name from that without them: a condition on columns that does not
 * matter would have the database plan the statement anew each time.
 */
export function narrow({ network, supplier }: Filter): { isOfAll: boolean; isOf: string; name: '' | '-of' } {
  return network === null && supplier === null
    ? { isOfAll: true, isOf: '($3::text is null and $4::text is null)', name: '' }
    : { isOfAll: false, isOf: '($3::text is null or network = $3) and ($4::text is null or supplier = $4)', name: '-of' }
}
