/** Words of the pieces that every screen is made of. */
export const uiTexts = {
  popular: 'Popular',
  loading: 'Loading…',
}
