#!/usr/bin/env bash
# Does what the Dockerfile does, without Docker: builds from the files it copies, installs without development packages,
# and runs the service in a folder that its user can't write to. Then the same for the npm package.
# As root, the service runs as another user; otherwise as the caller.
set -euo pipefail
cd "$(dirname "$0")/.."

work=$(mktemp -d)
service=
finish() {
  [ -z "$service" ] || kill "$service" 2>/dev/null || true
  chmod -R u+w "$work"
  rm -rf "$work"
}
trap finish EXIT
chmod 755 "$work"

# The other user may not be able to read the checkout: Node goes along.
mkdir "$work/bin"
cp "$(npx node -p process.execPath)" "$work/bin/node"
export PATH="$work/bin:$PATH" NODE_ENV=production HOST=127.0.0.1
runner=()
[ "$(id -u)" != 0 ] || runner=(setpriv --reuid=65534 --regid=65534 --clear-groups --)

# Runs the service in a folder made read-only, asks it what a user would, and stops it as Docker does.
try_out() {
  local folder=$1 url="http://127.0.0.1:$2"
  # Nothing of a check stays in the user's cache folder.
  export PORT=$2 VZ_MANIFEST_DIR=
  chmod -R a-w,a+rX "$folder"
  (cd "$folder" && exec "${runner[@]}" node bin/virtual-zarr.cjs serve --log-level warn) &
  service=$!
  for _ in $(seq 50); do
    if (cd "$folder" && node bin/virtual-zarr.cjs healthcheck) >/dev/null 2>&1; then break; fi
    kill -0 "$service" || return 1
    sleep 0.2
  done
  (cd "$folder" && node bin/virtual-zarr.cjs healthcheck)
  script=$(curl -fsS "$url/" | grep -o 'assets/index-[^"]*\.js')
  for path in / "/$script" /static/page.css /openapi.json /docs/ /zarr/sea-surface/zarr.json /zarr/sea-surface/lat/c/0; do
    curl -fsS -o /dev/null -w "  $path: %{http_code}, %{size_download} bytes\n" "$url$path"
  done
  kill -TERM "$service"
  wait "$service"
  service=
}

echo 'The image:'
mkdir "$work/build" "$work/image"
cp -r package.json package-lock.json .npmrc tsconfig.json tsconfig.build.json src routes web "$work/build"
mkdir "$work/build/scripts"
# Both names stand in the Dockerfile, too.
cp scripts/build-web.ts scripts/build-browser.ts "$work/build/scripts"
(
  cd "$work/build"
  npm ci --ignore-scripts --include=dev --no-audit --no-fund --loglevel=error
  npm run --silent build
  npm prune --omit=dev --ignore-scripts --no-audit --no-fund --loglevel=error
)
mkdir "$work/image/routes"
cp -r package.json openapi.yaml LICENSE bin examples "$work/image"
cp -r routes/static "$work/image/routes"
mv "$work/build/node_modules" "$work/build/dist" "$work/image"
try_out "$work/image" 18093

echo 'The npm package:'
mkdir "$work/dist" "$work/user"
npm pack --loglevel=error --pack-destination "$work/dist" >/dev/null
(cd "$work/user" && npm init -y >/dev/null && npm install --no-audit --no-fund --loglevel=error "$work"/dist/*.tgz)
try_out "$work/user/node_modules/virtual-zarr-server" 18094
(cd "$work/user" && node --input-type=module -e 'await import("virtual-zarr-server")')
scripts/check-outside.sh "$work"
