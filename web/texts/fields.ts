/** Words of fields and of what stands beside them. */
export const fieldTexts = {
  hideTyped: 'Hide what you typed',
  showTyped: 'Show what you typed',
  on: 'On',
  off: 'Off',
  copyReference: (shown: string) => `${shown} … copy the whole reference`,
  copied: (text: string) => `Copied ${text}`,
  couldNotCopy: (text: string) => `Could not copy. Select it by hand: ${text}`,
}
