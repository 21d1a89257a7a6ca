import { findShop } from './find-shop.ts'

// Where the shop of this machine listens, for tools/switch.sh.
console.log(findShop(process.env).config.port)
