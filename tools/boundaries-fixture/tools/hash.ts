export const hash = () => ''
