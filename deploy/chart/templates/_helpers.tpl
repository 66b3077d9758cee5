{{- define "checkout.labels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{/* (list root component) */}}
{{- define "checkout.selector" -}}
{{- $root := index . 0 -}}
app.kubernetes.io/name: {{ $root.Chart.Name }}
app.kubernetes.io/instance: {{ $root.Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end }}

{{/* (list name build): the component of a worker */}}
{{- define "checkout.worker" -}}
worker-{{ index . 0 }}{{ with index . 1 }}-{{ . }}{{ end }}
{{- end }}

{{- define "checkout.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end }}

{{- define "checkout.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
{{- range . }}
  - name: {{ . }}
{{- end }}
{{- end }}
securityContext:
  runAsNonRoot: true
  # `node` in the image.
  runAsUser: 1000
  runAsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
volumes:
  - name: tmp
    emptyDir: { sizeLimit: 64Mi }
{{- end }}

{{- define "checkout.container" -}}
image: {{ include "checkout.image" . }}
imagePullPolicy: IfNotPresent
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
volumeMounts:
  - name: tmp
    mountPath: /tmp
{{- end }}

{{/* (list root keys) */}}
{{- define "checkout.secretEnv" -}}
{{- $root := index . 0 -}}
{{- range index . 1 }}
- name: {{ . }}
  valueFrom:
    secretKeyRef: { name: {{ $root.Values.secret.name }}, key: {{ . }} }
{{- end }}
{{- end }}

{{/* (list root env): what API and workers have in common, then the values' own, of which the last wins */}}
{{- define "checkout.env" -}}
{{- $root := index . 0 -}}
{{- $common := dict "PUBLIC_URL" $root.Values.publicUrl "TEMPORAL_ADDRESS" $root.Values.temporal.address "TEMPORAL_NAMESPACE" $root.Values.temporal.namespace "METRICS_HOST" "0.0.0.0" -}}
{{- range $name, $value := merge (dict) (index . 1) $root.Values.env $common }}
- name: {{ $name }}
  value: {{ $value | toString | quote }}
{{- end }}
{{- include "checkout.secretEnv" (list $root $root.Values.secret.keys) }}
{{- end }}

{{/* (list root component): one pod of several may be away, and they spread over nodes */}}
{{- define "checkout.spread" -}}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "checkout.selector" . | nindent 8 }}
{{- end }}
