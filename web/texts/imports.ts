const rows = (count: number) => `${count.toLocaleString('en-GH')} ${count === 1 ? 'row' : 'rows'}`

/** Words of the screen that shows what was read from a file before anything happens. */
export const importTexts = {
  whichColumn: 'Which column is which?',
  changeColumns: 'Change the columns',
  columnsHint: 'Choose for each column. We remember it for the next file of this form.',
  missing: (roles: readonly string[]) =>
    `We don’t see which column is the ${roles.map((role) => role.toLowerCase()).join(' and which is the ')}.`,
  columnsAreRight: 'These columns are right',
  notNeeded: 'Not needed',
  unused: (names: readonly string[]) => `Columns without a use here: ${names.join(', ')}`,
  column: (place: number) => `Column ${place}`,
  inColumn: (name: string) => `What is in ${name}?`,
  sheet: 'Sheet',
  questions: 'Please tell us',
  waiting: (count: number) => `${rows(count)} ${count === 1 ? 'waits' : 'wait'} for this.`,
  doubtful: 'Doubtful',
  leftOut: 'Left out',
  doubtfulRows: (count: number) => `${rows(count)} to look at`,
  doubt: (line: number, reason: string) => `Line ${line}: ${reason}`,
  more: (count: number) => `and ${count.toLocaleString('en-GH')} more`,
  nothingHappened: 'Nothing has happened yet.',
  counts: 'What we read',
}
