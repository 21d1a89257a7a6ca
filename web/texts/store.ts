export const storeTexts = {
  buyAgain: 'Buy again',
}
