export function useOffer() {}
