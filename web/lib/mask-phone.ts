/** 0241234567 as 024 ••• 4567: enough for the receiver to recognise, too little to call. */
export function maskPhone(phone: string): string {
  return `${phone.slice(0, 3)} ••• ${phone.slice(-4)}`
}
