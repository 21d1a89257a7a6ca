/** What any call to the shop may end with, on every screen. */
export const connectionTexts = {
  notReached: 'We could not reach the shop. Check your connection and try again.',
  wentWrong: 'Something went wrong at the shop. Please try again.',
  banned: 'This account has been banned. Please contact us if you think that is a mistake.',
}
