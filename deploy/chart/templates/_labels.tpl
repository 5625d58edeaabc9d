{{/* What all pods of one part have, and nothing else has. */}}
{{- define "selector" -}}
{ app.kubernetes.io/name: {{ .root.Chart.Name }}, app.kubernetes.io/instance: {{ .root.Release.Name }}, app.kubernetes.io/component: {{ .part }} }
{{- end }}
{{- define "labels" -}}
{ app.kubernetes.io/name: {{ .root.Chart.Name }}, app.kubernetes.io/instance: {{ .root.Release.Name }}, app.kubernetes.io/component: {{ .part }}, app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}, app.kubernetes.io/managed-by: {{ .root.Release.Service }} }
{{- end }}
{{/* A container that can do nothing but its work. */}}
{{- define "confined" -}}
{ readOnlyRootFilesystem: true, allowPrivilegeEscalation: false, capabilities: { drop: [ALL] } }
{{- end }}
