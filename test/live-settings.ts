/** What a live shop needs whose services outside are all off. */
export const LIVE_SETTINGS = {
  SHOP_MODE: 'live',
  PUBLIC_URL: 'https://shop.example',
  CARD: 'off',
  MAIL: 'off',
  SMS: 'off',
  SUPPLIER: 'off',
} as const
