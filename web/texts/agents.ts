/** Becoming an agent. */
export const agentTexts = {
  becomeAgent: 'Become Agent',
  intro: 'Pay the fee once and buy every bundle at the agent price, right away.',
  prices: 'Customer and agent prices',
  offer: 'Offer',
  customer: 'Customer',
  agent: 'Agent',
  account: 'Account',
  fee: 'Upgrade fee, paid once',
}
