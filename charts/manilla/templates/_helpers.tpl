{{- define "manilla.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 38 | trimSuffix "-" -}}
{{- else -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- if contains $name .Release.Name -}}
{{- .Release.Name | trunc 38 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 38 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- /* Labels that never change: selectors are made of them. Input: [root, component] */ -}}
{{- define "manilla.selector" -}}
{{- $root := index . 0 -}}
app.kubernetes.io/name: {{ default $root.Chart.Name $root.Values.nameOverride }}
app.kubernetes.io/instance: {{ $root.Release.Name }}
{{- with index . 1 }}
app.kubernetes.io/component: {{ . }}
{{- end }}
{{- end -}}

{{- define "manilla.labels" -}}
{{- $root := index . 0 -}}
{{- merge (include "manilla.ownLabels" . | fromYaml) $root.Values.commonLabels | toYaml -}}
{{- end -}}

{{- define "manilla.ownLabels" -}}
{{- $root := index . 0 -}}
{{ include "manilla.selector" . }}
app.kubernetes.io/version: {{ $root.Chart.AppVersion | quote }}
app.kubernetes.io/part-of: manilla
app.kubernetes.io/managed-by: {{ $root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" $root.Chart.Name $root.Chart.Version }}
{{- end -}}

{{- /* Input: an image block with repository, tag, digest, and what to use for an empty tag */ -}}
{{- define "manilla.imageRef" -}}
{{- $image := index . 0 -}}
{{- if $image.digest -}}
{{ $image.repository }}@{{ $image.digest }}
{{- else -}}
{{ $image.repository }}:{{ default (index . 1) $image.tag }}
{{- end -}}
{{- end -}}

{{- define "manilla.image" -}}
{{- include "manilla.imageRef" (list .Values.image .Chart.AppVersion) -}}
{{- end -}}

{{- /* Names of the services that are on, sorted, with commas. No other service does without one but investment. */ -}}
{{- define "manilla.names" -}}
{{- $names := list -}}
{{- range $name, $row := .Values.services -}}
{{- if ne (toString $row.enabled) "false" -}}
{{- $names = append $names $name -}}
{{- else if ne $name "investment" -}}
{{- fail (printf "services.%s.enabled cannot be false: the others need it, and only investment can be left out" $name) -}}
{{- end -}}
{{- end -}}
{{- join "," (sortAlpha $names) -}}
{{- end -}}

{{- /* Names of the services that are on and have a database. */ -}}
{{- define "manilla.databases" -}}
{{- $names := list -}}
{{- range $name := splitList "," (include "manilla.names" .) -}}
{{- if (index $.Values.services $name).migrate -}}{{- $names = append $names $name -}}{{- end -}}
{{- end -}}
{{- join "," $names -}}
{{- end -}}

{{- /* Services that `name` may reach: calls and tells, those that are on; `*` is every one with gRPC. Input: [root, name] */ -}}
{{- define "manilla.reaches" -}}
{{- $root := index . 0 -}}
{{- $row := index $root.Values.services (index . 1) -}}
{{- $on := splitList "," (include "manilla.names" $root) -}}
{{- $reached := list -}}
{{- $wanted := concat ($row.calls | default list) ($row.tells | default list) -}}
{{- if has "*" $wanted -}}
{{- range $name, $other := $root.Values.services -}}
{{- if ne (default "grpc" $other.protocol) "http" -}}{{- $wanted = append $wanted $name -}}{{- end -}}
{{- end -}}
{{- $wanted = without $wanted "*" (index . 1) -}}
{{- end -}}
{{- range $name := $wanted | uniq | sortAlpha -}}
{{- if not (hasKey $root.Values.services $name) -}}
{{- fail (printf "services.%s calls %s, which services does not have" (index $ 1) $name) -}}
{{- end -}}
{{- if has $name $on -}}{{- $reached = append $reached $name -}}{{- end -}}
{{- end -}}
{{- join "," $reached -}}
{{- end -}}

{{- /* host:port of a service. The name is whole, so that one DNS question answers it. Input: [root, name] */ -}}
{{- define "manilla.address" -}}
{{- $root := index . 0 -}}
{{ include "manilla.fullname" $root }}-{{ index . 1 }}.{{ $root.Release.Namespace }}.svc.{{ $root.Values.clusterDomain }}:9090
{{- end -}}

{{- define "manilla.keysSecret" -}}
{{- .Values.keys.existingSecret | default (printf "%s-keys" (include "manilla.fullname" .)) -}}
{{- end -}}

{{- define "manilla.trustDomain" -}}
{{- .Values.tls.trustDomain | default (printf "%s.%s.internal" (include "manilla.fullname" .) .Release.Namespace) -}}
{{- end -}}

{{- /* Secret with the certificate of a service. Input: [root, name] */ -}}
{{- define "manilla.tlsSecret" -}}
{{- $root := index . 0 -}}
{{- if eq $root.Values.tls.source "existing" -}}
{{ $root.Values.tls.existingSecretPrefix }}{{ index . 1 }}
{{- else -}}
{{ include "manilla.fullname" $root }}-{{ index . 1 }}-tls
{{- end -}}
{{- end -}}

{{- define "manilla.mongodbSecret" -}}
{{- if .Values.mongodb.embedded.enabled -}}
{{ include "manilla.fullname" . }}-mongodb
{{- else -}}
{{- required "mongodb.external.existingSecret names the secret with the URIs, when mongodb.embedded.enabled is false" .Values.mongodb.external.existingSecret -}}
{{- end -}}
{{- end -}}

{{- define "manilla.redisSecret" -}}
{{- if .Values.redis.embedded.enabled -}}
{{ include "manilla.fullname" . }}-redis
{{- else -}}
{{- required "redis.external.existingSecret names the secret with the URL, when redis.embedded.enabled is false" .Values.redis.external.existingSecret -}}
{{- end -}}
{{- end -}}

{{- /* What a process of the image reads at boot. Input: [root, name, row] */ -}}
{{- define "manilla.env" -}}
{{- $root := index . 0 -}}
{{- $name := index . 1 -}}
{{- $row := index . 2 -}}
- name: NODE_ENV
  value: production
- name: LOG_LEVEL
  value: {{ $root.Values.logLevel }}
{{- with $root.Values.amountCeilings }}
- name: AMOUNT_CEILINGS
  value: {{ . | quote }}
{{- end }}
- name: DISK_FULL_SHARE
  value: {{ $root.Values.mongodb.fullAtShare | quote }}
- name: HOST
  value: {{ $root.Values.listenAddress | quote }}
- name: PORT
  value: {{ eq (default "grpc" $row.protocol) "http" | ternary "8080" "9090" | quote }}
- name: HEALTH_PORT
  value: "9091"
- name: ADMIN_PORT
  value: "9092"
- name: POD_IP
  valueFrom:
    fieldRef:
      fieldPath: status.podIP
- name: POD_NAME
  valueFrom:
    fieldRef:
      fieldPath: metadata.name
- name: SERVICE_KEY_FILE
  value: /etc/manilla/keys/service.key
- name: SERVICE_JWKS_FILE
  value: /etc/manilla/keys/services.crt
{{- range $variable, $file := $row.keyFiles }}
- name: {{ $variable }}
  value: /etc/manilla/keys/{{ $file }}
{{- end }}
{{- if $root.Values.tls.enabled }}
- name: TLS_DIR
  value: /etc/manilla/tls
- name: TLS_TRUST_DOMAIN
  value: {{ include "manilla.trustDomain" $root }}
{{- end }}
- name: REDIS_URL
  valueFrom:
    secretKeyRef:
      name: {{ include "manilla.redisSecret" $root }}
      key: url
{{- if $row.migrate }}
- name: MONGODB_URI
  valueFrom:
    secretKeyRef:
      name: {{ include "manilla.mongodbSecret" $root }}
      key: {{ $name }}-uri
- name: MONGODB_DATABASE
  value: {{ $root.Values.mongodb.databasePrefix }}_{{ $name }}
- name: MIGRATE_AT_BOOT
  value: "false"
{{- end }}
- name: BOOT_WAIT_S
  value: {{ $root.Values.migrations.bootWaitSeconds | quote }}
{{- range $other := splitList "," (include "manilla.reaches" (list $root $name)) }}
{{- if and $other (ne $other $name) }}
- name: {{ upper $other | replace "-" "_" }}_ADDRESS
  value: {{ include "manilla.address" (list $root $other) }}
{{- end }}
{{- end }}
{{- range $connector := $row.connectors }}
{{ include "manilla.connectorEnv" (list $root $connector) }}
{{- end }}
{{- if and $row.sendsWebhooks $root.Values.webhooks.sandboxOrigins }}
- name: WEBHOOK_SANDBOX_ORIGINS
  value: {{ join "," $root.Values.webhooks.sandboxOrigins | quote }}
{{- end }}
{{- if and (or $row.keepsPlugins $row.callsPlugins) $root.Values.plugins.sandboxOrigins }}
- name: PLUGIN_SANDBOX_ORIGINS
  value: {{ join "," $root.Values.plugins.sandboxOrigins | quote }}
{{- end }}
{{- if and $row.exchangesFiles $root.Values.plugins.files.existingClaim }}
- name: PLUGIN_FILES_DIR
  value: {{ $root.Values.plugins.files.mountPath | quote }}
{{- end }}
{{- with $root.Values.otlp.endpoint }}
- name: OTEL_EXPORTER_OTLP_ENDPOINT
  value: {{ . }}
- name: OTEL_SERVICE_NAME
  value: {{ $name }}
{{- end }}
{{- end -}}

{{- /* Input: [root, name, row] */ -}}
{{- define "manilla.volumes" -}}
{{- $root := index . 0 -}}
{{- $name := index . 1 -}}
{{- $row := index . 2 -}}
- name: tmp
  emptyDir:
    sizeLimit: 64Mi
- name: keys
  secret:
    secretName: {{ include "manilla.keysSecret" $root }}
    defaultMode: 0440
    items:
      - key: {{ $name }}.key
        path: service.key
      - key: services.crt
        path: services.crt
      {{- range $file := $row.keyFiles }}
      - key: {{ $file }}
        path: {{ $file }}
      {{- end }}
{{- if $root.Values.tls.enabled }}
- name: tls
  secret:
    secretName: {{ include "manilla.tlsSecret" (list $root $name) }}
    defaultMode: 0440
{{- end }}
{{- if and $row.exchangesFiles $root.Values.plugins.files.existingClaim }}
- name: bank-files
  persistentVolumeClaim:
    claimName: {{ $root.Values.plugins.files.existingClaim }}
{{- end }}
{{- with $row.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "manilla.mounts" -}}
{{- $root := index . 0 -}}
{{- $row := index . 1 -}}
- name: tmp
  mountPath: /tmp
- name: keys
  mountPath: /etc/manilla/keys
  readOnly: true
{{- if $root.Values.tls.enabled }}
- name: tls
  mountPath: /etc/manilla/tls
  readOnly: true
{{- end }}
{{- if and $row.exchangesFiles $root.Values.plugins.files.existingClaim }}
- name: bank-files
  mountPath: {{ $root.Values.plugins.files.mountPath }}
  {{- with $root.Values.plugins.files.subPath }}
  subPath: {{ . }}
  {{- end }}
{{- end }}
{{- with $row.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "manilla.sandboxSecret" -}}
{{- .Values.partner.sandbox.existingSecret | default (printf "%s-partner" (include "manilla.fullname" .)) -}}
{{- end -}}

{{- /* The settings of a connector. Input: [root, name] */ -}}
{{- define "manilla.connector" -}}
{{- $root := index . 0 -}}
{{- $name := index . 1 -}}
{{- if eq $name "partner" -}}
{{- toYaml $root.Values.partner -}}
{{- else if hasKey $root.Values.connectors $name -}}
{{- toYaml (index $root.Values.connectors $name) -}}
{{- else -}}
{{- fail (printf "a service has the connector %s, which connectors does not have" $name) -}}
{{- end -}}
{{- end -}}

{{- /*
Where a connector is reached, as <NAME>_URL and <NAME>_API_KEY, and the same for sandboxes, which never reach a live one. On a
first try, when not even partner.url is set, the sandbox partner stands in for the live ones. Input: [root, name]
*/ -}}
{{- define "manilla.connectorEnv" -}}
{{- $root := index . 0 -}}
{{- $name := index . 1 -}}
{{- $prefix := upper $name | replace "-" "_" -}}
{{- $values := include "manilla.connector" . | fromYaml -}}
{{- $sandbox := printf "http://%s-partner.%s.svc.%s:8080" (include "manilla.fullname" $root) $root.Release.Namespace $root.Values.clusterDomain -}}
{{- $hasSandbox := $root.Values.partner.sandbox.enabled -}}
{{- $isTry := empty $root.Values.partner.url -}}
{{- if and (eq $name "partner") $isTry (not $hasSandbox) -}}
{{- fail "partner.url names the payout network, when partner.sandbox.enabled is false" -}}
{{- end -}}
{{- if $values.url -}}
{{- $secret := required (printf "%s.existingSecret names the secret with api-key, when its url is set" (eq $name "partner" | ternary "partner" (printf "connectors.%s" $name))) $values.existingSecret }}
{{ include "manilla.connectorAccess" (list $prefix $values.url $secret $values.contract) }}
{{- else if and $isTry $hasSandbox }}
{{ include "manilla.connectorAccess" (list $prefix $sandbox (include "manilla.sandboxSecret" $root) 2) }}
{{- end }}
{{- if $hasSandbox }}
{{ include "manilla.connectorAccess" (list (printf "SANDBOX_%s" $prefix) $sandbox (include "manilla.sandboxSecret" $root) 2) }}
{{- end }}
{{- if eq $name "partner" }}
- name: PARTNER_CALLBACK_BASE_URL
  value: {{ $root.Values.partner.callbackBaseUrl | default ($isTry | ternary (printf "http://%s-gateway.%s.svc.%s:%d" (include "manilla.fullname" $root) $root.Release.Namespace $root.Values.clusterDomain (int $root.Values.gateway.service.port)) "") | quote }}
{{- end }}
{{- end -}}

{{- /* Input: [prefix of variables, URL, secret, contract of payout connectors that is spoken there] */ -}}
{{- define "manilla.connectorAccess" -}}
{{- $prefix := index . 0 -}}
- name: {{ $prefix }}_URL
  value: {{ index . 1 }}
- name: {{ $prefix }}_API_KEY
  valueFrom:
    secretKeyRef:
      name: {{ index . 2 }}
      key: api-key
{{- if hasSuffix "PARTNER" $prefix }}
- name: {{ $prefix }}_CONTRACT
  value: {{ index . 3 | int | quote }}
- name: {{ $prefix }}_CALLBACK_SECRET
  valueFrom:
    secretKeyRef:
      name: {{ index . 2 }}
      key: callback-secret
{{- end }}
{{- end -}}

{{- /* Whether anything of operators runs in the cluster, and is let through. */ -}}
{{- define "manilla.hasOperator" -}}
{{- if or .Values.seed.enabled .Values.operator.enabled .Values.operator.verification.enabled -}}true{{- end -}}
{{- end -}}

{{- /* What operators' tools read: addresses, and the operator's key and certificate. */ -}}
{{- define "manilla.operatorEnv" -}}
- name: DATA_DIR
  value: /tmp
- name: OPERATOR_KEY_FILE
  value: /etc/manilla/keys/service.key
{{- if .Values.tls.enabled }}
- name: TLS_DIR
  value: /etc/manilla/tls
- name: TLS_TRUST_DOMAIN
  value: {{ include "manilla.trustDomain" . }}
{{- end }}
{{- range $name := splitList "," (include "manilla.databases" .) }}
- name: {{ upper $name | replace "-" "_" }}_ADDRESS
  value: {{ include "manilla.address" (list $ $name) }}
{{- end }}
{{- end -}}

{{- /* Address families of a Service, where they are said. */ -}}
{{- define "manilla.families" -}}
{{- with .Values.ipFamilyPolicy }}
ipFamilyPolicy: {{ . }}
{{- end }}
{{- with .Values.ipFamilies }}
ipFamilies: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "manilla.mongodbHost" -}}
{{- $name := printf "%s-mongodb" (include "manilla.fullname" .) -}}
{{- printf "%s-0.%s.%s.svc.%s:27017" $name $name .Release.Namespace .Values.clusterDomain -}}
{{- end -}}

{{- /* Host of partner.callbackBaseUrl: the payout network's callbacks come by it, so the way in must know it. */ -}}
{{- define "manilla.callbackHost" -}}
{{- with .Values.partner.callbackBaseUrl -}}
{{- (urlParse .).hostname -}}
{{- end -}}
{{- end -}}

{{- /* Environment of a server that is not ours. Input: its row */ -}}
{{- define "manilla.bareExtras" -}}
{{- if or .env .extraEnv }}
env: {{- include "manilla.envWith" (list "[]" .) | nindent 2 }}
{{- end }}
{{- with .envFrom }}
envFrom: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- /* Input: webhooks or plugins. Where tenants' own receivers and partners may be */ -}}
{{- define "manilla.egressTenants" -}}
{{- $values := . -}}
- ports:
    {{- range $values.ports }}
    - { protocol: TCP, port: {{ . }} }
    {{- end }}
  to:
    {{- range $cidr := $values.cidrs }}
    - ipBlock:
        cidr: {{ $cidr | quote }}
        {{- $inside := list }}
        {{- range $except := $values.except }}
        {{- if eq (contains ":" $cidr) (contains ":" $except) }}{{- $inside = append $inside $except }}{{- end }}
        {{- end }}
        {{- if and $inside (has $cidr (list "0.0.0.0/0" "::/0")) }}
        except: {{- toYaml $inside | nindent 10 }}
        {{- end }}
    {{- end }}
{{- end -}}
