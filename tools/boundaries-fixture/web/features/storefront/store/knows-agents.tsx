// breaks: agent-only-through-the-router
export const knowsAgents = () => import('../../orders/orders/agent/shop-page.tsx')
