/** Words of dialogs, toasts and notices, which the first screens come without. */
export const messageTexts = {
  offline: 'Offline',
  mayBeOld: 'Offline: this may be old',
  notification: 'Notification',
  dismiss: 'Dismiss',
  close: 'Close',
  tryAgain: 'Try again',
  couldNotLoad: (what: string) => `${what} could not be loaded.`,
  trouble: {
    line: 'Check your connection and try again.',
    renewed: 'We have updated the shop. Try again.',
    failed: 'Something went wrong. Try again.',
  },
  checkConnection: 'Check your connection and try again.',
  couldNotOpen: 'We couldn’t open this.',
  yes: 'Yes',
  no: 'No',
  cancel: 'Cancel',
  /** The only button of a question that does not stand any more. */
  goBack: 'Go back',
  leave: 'Leave without saving your changes?',
  unsaved: 'Unsaved changes',
  stillToCome: 'still to come, ',
}
