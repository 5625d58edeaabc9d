# The service as a container: `docker build -t virtual-zarr-server . && docker run --rm -p 8080:8080 virtual-zarr-server`.
# Runs as a normal user and writes only to /var/cache/virtual-zarr, where opened stores are persisted: mount a volume there to keep them.
# With a read-only file system (`docker run --read-only …`) and no volume it logs one line and persists nothing; `-e VZ_MANIFEST_DIR=` turns it off.
ARG NODE_IMAGE=node:24-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# No install scripts: the image is Node 24 already, and nothing else has one.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY src ./src
COPY routes ./routes
COPY web ./web
COPY scripts/build-web.ts scripts/build-browser.ts ./scripts/
RUN npm run build && npm prune --omit=dev --ignore-scripts --no-audit --no-fund

FROM ${NODE_IMAGE}
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 VZ_MANIFEST_DIR=/var/cache/virtual-zarr
RUN install -d -o 1000 -g 1000 -m 0700 /var/cache/virtual-zarr
WORKDIR /app
COPY package.json openapi.yaml LICENSE ./
COPY bin ./bin
COPY examples ./examples
COPY routes/static ./routes/static
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
# The allocator gives back what is freed, and does not keep hundreds of MB for later (docs/performance.md).
ENV MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=131072 MALLOC_TRIM_THRESHOLD_=131072
USER 1000:1000
EXPOSE 8080
HEALTHCHECK --interval=15s --timeout=5s --start-period=10s --retries=3 CMD ["node", "bin/virtual-zarr.cjs", "healthcheck"]
# Node itself is process 1 and takes SIGTERM: the service drains before it stops.
# On a machine with much memory Node would give garbage that is young 200 MB of its own.
ENTRYPOINT ["node", "--max-semi-space-size=16", "bin/virtual-zarr.cjs"]
CMD ["serve"]
