/** Words about files that are read in the browser. */
export const fileTexts = {
  tooLarge: 'That file is larger than 5 MB. Keep only the columns that are needed.',
  oldExcel: 'That is an old Excel file. Save it as .xlsx or CSV, or copy its lines here.',
  tooMuch: 'There is far more in that file than a list has. Keep only the columns that are needed, or copy its lines here.',
  tooFar: (rows: number) =>
    `That sheet goes down to row ${rows.toLocaleString('en')}, most of it empty. Copy the lines into a new file, or paste them here.`,
  unreadable: 'We couldn’t read that Excel file. Save it as CSV, or copy its lines here.',
}
