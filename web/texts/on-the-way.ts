/** The question before the same bundle is bought for the same number while one is on its way. */
export const onTheWayTexts = {
  title: (count: number) => (count === 1 ? 'One is on its way to this number' : `${count} of these are on their way`),
  question: (message: string) => `${message} Do you want to buy it again?`,
  buyAgain: 'Buy again',
  wait: 'No, wait for it',
  notBought: 'Not bought again. Nothing was charged.',
}
