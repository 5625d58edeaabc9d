#!/bin/sh
# nginx.conf from standard input, with the replicas that Kubernetes has at the moment (REPLICAS is the name of them all) in the place of
# three by name (nginx from 1.27.3 on). Names are looked for where the pod looks for them.
set -eu
resolver=$(awk '/^nameserver/ { print ($2 ~ /:/) ? "[" $2 "]" : $2; exit }' "${RESOLV_CONF:-/etc/resolv.conf}")
sed \
  -e '/server virtual-zarr-[23]:8080/d' \
  -e "s/server virtual-zarr-1:8080/server $REPLICAS:8080 resolve/" \
  -e "s/upstream replicas {/resolver $resolver valid=5s;\n  upstream replicas {\n    zone replicas 256k;/"
