import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { SHOP_SHADES } from '../../../shared/agent-shop-shades.ts'
import type { PublicShop, ShopFace } from '../../../shared/agent-shops.ts'
import { type BrandName, brandStyle, USUAL_BRAND } from '../../../shared/brands.ts'
import { dialLink, whatsAppLink } from '../../../shared/links.ts'
import type { Product } from '../../../shared/products.ts'
import type { Shop } from '../../../shared/shop.ts'
import type { Figures } from '../../../shared/stats.ts'
import { compress, once } from './compressed.ts'

/**
 * Runs before first paint: applies the chosen colour scheme and a visitor's navigation, and records clicks that come before
 * the app's code, which web/main.tsx replays once each. After the paint it loads the code, so that both don't share a slow
 * connection, and retries: browsers never retry a failed module. Where the code can't run or doesn't, it says so, in the words of
 * web/index.html; so it has to be read by browsers that are too old for anything else: before Chrome 64, by their regular expressions.
 * It also notes whether the browser stores what it is given, and by how much the shop's clock is ahead, unless the page and its `server-timing` were kept on the device.
 * It is the only inline script; the content security policy allows it by hash.
 */
const EARLY_SCRIPT = `
try{var d=document.documentElement.dataset,o=JSON.parse(sessionStorage.tabOnly||'{}').local,s=o&&o.userInfo?o:localStorage,t;
if(s.userInfo)d.signedIn='';t=JSON.parse(s.theme||0);if(t)d.theme=t;var canStore=!o&&!!localStorage}catch(e){}
try{var n=performance.getEntriesByType('navigation')[0],ahead=n.type>'c'&&!n.workerStart&&n.serverTiming[0].duration-Date.now()}catch(e){}
function stuck(k,off){var e=document.getElementById('stuck');if(!e)return;e.hidden=!!off;
for(var n=e.firstElementChild;n;n=n.nextElementSibling)if(n.id.indexOf('stuck-')==0)n.hidden=n.id!='stuck-'+k}
var old;try{new RegExp('\\\\p{L}','u');old=!window.fetch}catch(e){old=1}
var pressed=old?undefined:new Set;addEventListener('click',function(e){var b=pressed&&e.target.closest('button');
if(b){pressed.delete(b);pressed.add(b);b.dataset.pressed=''}},true);
addEventListener('error',function(e){if((e.filename||'').indexOf(location.origin+'/assets/')==0)setTimeout(function(){
if(pressed||!document.getElementById('root').firstChild)stuck(e.error instanceof SyntaxError?'old':'failed')})});
var begun;function begin(){if(begun)return;begun=1;if(old)return stuck('old');var c=JSON.parse(document.getElementById('code').textContent);
var late=setTimeout(function(){if(pressed)stuck('slow')},15000);
Promise.all(c.map(get)).then(function(){clearTimeout(late);stuck('',1);
var e=document.createElement('script');e.type='module';e.crossOrigin='';e.src=c[0];e.onerror=function(){stuck('failed')};document.head.append(e)})}
function get(f){return fetch(f,{priority:'low'}).then(function(r){return r.arrayBuffer()}).catch(function(){stuck(navigator.onLine?'slow':'line');
return new Promise(function(r){setTimeout(r,1500)}).then(function(){return get(f)})})}
addEventListener('DOMContentLoaded',function(){(window.requestAnimationFrame||setTimeout)(function(){setTimeout(begin)})});
addEventListener('load',function(){setTimeout(begin,500)})`.replaceAll('\n', '')
export const EARLY_SCRIPT_SOURCE = sourceOf(EARLY_SCRIPT)

/** The style that @paystack/inline-js 2.25.0 inserts for its waiting screen. */
const CARD_POPUP_STYLE_SOURCE = "'sha256-56e7EfkeGORJUMtXdS4A+2LZFuyRDypLbssVftifpJg='"

/** Hashes of the inline styles, for the content security policy. */
export async function readStyleSources(root: string): Promise<string[]> {
  const { template } = await readTemplate(root)
  const own = template.split('<style>').slice(1)
  return [...own.map((rest) => sourceOf(rest.slice(0, rest.indexOf('</style>')))), CARD_POPUP_STYLE_SOURCE]
}

/** The shop's own styles for the content security policy, that with the brand's colours among them. */
export function ownStyles(brand: BrandName): string {
  const style = brandStyle(brand)
  return style === '' ? "'self'" : `'self' ${sourceOf(style)}`
}

/** What the shop sells, and what it can tell about itself; null when that could not be read. */
export type Known = { products: readonly Product[]; figures: Figures | null }
type Prerender = (screen: { path: string; shop: Shop; known: Known | null }) => Promise<string>
type Page = {
  title: string
  description?: string
  early?: string
  code?: string[]
  path?: string
  body?: string
  known?: Known | null
  agents?: AgentShopPage
  /** The agent's shop that the page stands for, whose guests are not sent to the house. */
  face?: ShopFace
}

/** An agent's shop as its page has it: `origin` and `canonical` are absolute addresses. On its own host name it is all there is. */
export type AgentShopPage = { shop: PublicShop; origin: string; canonical: string; ownHost: boolean; picture: string }

/** Prepares the pages, each as the shop is when it is made. The shop's details are embedded as data, so that changing them needs no rebuild. */
export async function preparePages(root: string, shop: Shop) {
  const { template, code: everywhere } = await readTemplate(root)
  const built = join(root, '../prerender')
  const load = once<{ prerender: Prerender }>(() => import(pathToFileURL(join(built, 'prerender.js')).href))
  const screens = JSON.parse(await readFile(join(built, 'screens.json'), 'utf8')) as Record<string, string[]>

  /** React writes preload tags first; move them into the page's head. */
  const render = async (path: string, known: Known | null) => {
    const { prerender } = await load()
    const html = await prerender({ path, shop: { ...shop }, known })
    const early = /^(?:<link [^>]*>)*/.exec(html)?.[0] ?? ''
    return { early, code: screens[path] ?? [], path, body: html.slice(early.length) }
  }

  const makePage = ({ title, description, early = '', code = [], path, body = '', known, agents, face = agents?.shop }: Page) => {
    const data = [
      dataElement('code', [...everywhere, ...code]),
      dataElement('shop', agents?.ownHost ? { ...shop, agentShop: agents.shop.slug } : shop),
      agents ? dataElement('agent-shop', agents.shop) : face ? dataElement('shop-face', face) : '',
      known ? dataElement('catalogue', known.products) : '',
      known?.figures ? dataElement('figures', known.figures) : '',
    ]
    const icon = face?.logo ?? shop.logo
    return compress(
      (face ? wearFace(template, face, agents ? headOfShop(agents) : headOfOrder(face)) : template)
        .replace(/<title>[^<]*<\/title>/, () => `<title>${escapeHtml(title)}</title>`)
        .replace(/(<meta name="application-name" content=")[^"]*/, (_all, start: string) => start + escapeHtml(face?.name ?? shop.name))
        .replace(/(<meta name="description" content=")[^"]*/, (all, start: string) => (description ? start + escapeHtml(description) : all))
        .replace(/<link rel="icon"[^>]*>/, (usual) => (icon ? `<link rel="icon" href="${escapeHtml(icon)}" type="image/webp">` : usual))
        .replace(
          '</head>',
          () => `${brandElement(shop.brand ?? USUAL_BRAND)}${early}${data.join('')}<script>${EARLY_SCRIPT}</script></head>`,
        )
        .replace(/(<p id="help"|<p class="p-4" id="help-unscripted")><\/p>/g, (_all, start: string) =>
          // An agent's customers are not sent to the house.
          face ? helpElement(start, face.whatsapp) : helpElement(start, shop.whatsapp[0], shop.ussdCode),
        )
        .replace('<div id="root"></div>', () => `<div id="root"${path ? ` data-path="${path}"` : ''}>${body}</div>`),
    )
  }

  return {
    shell: () => makePage({ title: `${shop.name}: ${shop.tagline}` }),
    home: async (known: Known | null) =>
      makePage({
        title: `${shop.name}: ${shop.tagline}`,
        description: `${shop.tagline}. MTN, AirtelTigo and Telecel data, airtime, AFA and WAEC checkers, paid from a wallet or by card.`,
        known,
        ...(await render('/', known)),
      }),
    store: async (known: Known) =>
      makePage({
        title: `Store · ${shop.name}`,
        description: `${[...new Set(known.products.map((product) => product.network))].join(', ')}: the bundles of ${shop.name}, with today's prices.`,
        known,
        ...(await render('/store', known)),
      }),
    /** The first page of an agent's shop, under its own name, so that a link in a chat shows it. The browser draws its screen. */
    agentShop: async (agents: AgentShopPage) =>
      makePage({ title: agents.shop.name, description: describeAgentShop(agents.shop), code: screens['/s'] ?? [], agents }),
    /** The page of an order's link, under the name of the agent's shop where it was placed. */
    agentOrder: async (face: ShopFace) => makePage({ title: face.name, description: FOLLOW, face }),
  }
}

const FOLLOW = 'Where your order is.'

function describeAgentShop({ about, offers, closed }: PublicShop): string {
  if (closed !== null) return closed
  const networks = [...new Set(offers.map(({ network }) => network))].join(', ')
  const what = `${networks === '' ? 'Data' : networks} bundles. Pay by mobile money or card, without an account.`
  return about === null ? what : `${about.replace(/[.!?]?$/, '.')} ${what}`
}

const property = (key: string, text: string) => `<meta property="og:${key}" content="${escapeHtml(text)}">`

/** What chats and search engines read of an agent's shop. */
function headOfShop({ shop, origin, canonical, picture }: AgentShopPage): string[] {
  return [
    `<link rel="canonical" href="${escapeHtml(canonical)}">`,
    property('type', 'website'),
    property('site_name', shop.name),
    property('title', shop.name),
    property('description', describeAgentShop(shop)),
    property('url', canonical),
    property('image', origin + picture),
    property('image:type', 'image/png'),
    property('image:width', '1200'),
    property('image:height', '630'),
    '<meta name="twitter:card" content="summary_large_image">',
    shop.closed === null ? '' : '<meta name="robots" content="noindex">',
  ]
}

/** What chats show of an order's link: whose it is, and nothing of the order. */
function headOfOrder({ name }: ShopFace): string[] {
  return [property('site_name', name), property('title', name), property('description', FOLLOW)]
}

/** The bar of a phone's browser in an agent's colour. An app of the house is not offered there. */
function wearFace(template: string, { colour }: ShopFace, head: string[]): string {
  const { band, darkBand } = SHOP_SHADES[colour]
  return template
    .replace(/\s*<link rel="(?:manifest|apple-touch-icon)"[^>]*>/g, '')
    .replace(/(<meta name="theme-color" content=")[^"]*(" media="\(prefers-color-scheme: light)/, (_all, start, end) => start + band + end)
    .replace(
      /(<meta name="theme-color" content=")[^"]*(" media="\(prefers-color-scheme: dark)/,
      (_all, start, end) => start + darkBand + end,
    )
    .replace('</head>', () => `${head.join('')}</head>`)
}

/** The built page with its style inlined and without its scripts, which the early script loads. */
async function readTemplate(root: string): Promise<{ template: string; code: string[] }> {
  let template = (await readFile(join(root, 'index.html'), 'utf8'))
    .replace(/<!--[\s\S]*?-->|(?<=>)\s+(?=<)/g, '')
    .replaceAll('href="/here"', 'href=""')
  const code: string[] = []
  for (const [tag, file] of template.matchAll(
    /\s?<(?:script type="module"|link rel="modulepreload")[^<>]{0,200} (?:src|href)="([^"<>]+)">(?:<\/script>)?/g,
  )) {
    template = template.replace(tag, '')
    code.push(file as string)
  }
  for (const [tag, file] of template.matchAll(/<link rel="stylesheet"[^<>]{0,200} href="([^"<>]+)">/g)) {
    const style = await readFile(join(root, file as string), 'utf8')
    template = template.replace(tag, () => `<style>${style}</style>`)
  }
  return { template, code }
}

/** Other ways to buy, where the page's code is of no help. */
function helpElement(start: string, whatsapp: string | null | undefined, ussdCode?: string): string {
  const link = (href: string, words: string) => `<a class="underline" href="${escapeHtml(href)}">${escapeHtml(words)}</a>.`
  const ways = [
    whatsapp ? `You can buy by message too: ${link(whatsAppLink(whatsapp), 'WhatsApp us')}` : '',
    ussdCode ? `You can buy without internet too: dial ${link(dialLink(ussdCode), ussdCode)}` : '',
  ].filter((way) => way !== '')
  return ways.length > 0 ? `${start}>${ways.join('<br>')}</p>` : ''
}

/** After the style sheet, whose colours it replaces. */
function brandElement(brand: BrandName): string {
  const style = brandStyle(brand)
  return style && `<style>${style}</style>`
}

function sourceOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

function dataElement(id: string, data: unknown): string {
  return `<script type="application/json" id="${id}">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
