export const totalPaid = 0
