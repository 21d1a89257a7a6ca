/** A list as a file for a spreadsheet. */
export const exportTexts = {
  export: 'Export',
  csv: 'CSV',
  exporting: 'Exporting…',
  saved: (file: string) => `Saved ${file}`,
  failed: (reason: string) => `The CSV could not be saved: ${reason}`,
}
