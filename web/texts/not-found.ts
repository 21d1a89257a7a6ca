export const notFoundTexts = {
  heading: 'Page not found',
  title: 'There is no page at this address',
  text: 'The link may be old, or a letter may be missing.',
  goToStore: 'Go to the store',
}
