/** Words of tables and lists of pages. */
export const listTexts = {
  pages: 'Pages',
  page: (page: number) => `Page ${page}`,
  previousPage: 'Previous page',
  nextPage: 'Next page',
  search: 'Search',
  clearSearch: 'Clear the search',
  show: 'Show',
  perPage: 'Entries per page',
  nothingMatches: (search: string) => `Nothing matches “${search}”.`,
  showing: (shown: number, total: number, more = false) => `Showing ${shown} of ${more ? 'more than ' : ''}${total} entries`,
}
