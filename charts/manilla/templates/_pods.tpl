{{- /* A list as YAML in which a later item replaces an earlier one of the same name. Input: [list, key that names an item] */ -}}
{{- define "manilla.unique" -}}
{{- $key := index . 1 -}}
{{- $order := list -}}
{{- $found := dict -}}
{{- range $item := index . 0 -}}
{{- $name := get $item $key | toString -}}
{{- if not (hasKey $found $name) -}}{{- $order = append $order $name -}}{{- end -}}
{{- $_ := set $found $name $item -}}
{{- end -}}
{{- $items := list -}}
{{- range $name := $order -}}{{- $items = append $items (get $found $name) -}}{{- end -}}
{{- toYaml $items -}}
{{- end -}}

{{- /*
Settings over those of `defaults`: a value replaces, a list of things with names adds to them and replaces by name.
Input: [defaults, settings]
*/ -}}
{{- define "manilla.over" -}}
{{- $base := index . 0 -}}
{{- $over := index . 1 | default dict -}}
{{- $merged := mergeOverwrite (deepCopy $base) (deepCopy $over) -}}
{{- $lists := dict "extraVolumes" "name" "extraVolumeMounts" "mountPath" "extraEnv" "name" "initContainers" "name" "extraContainers" "name" -}}
{{- range $list, $key := $lists -}}
{{- $items := concat (get $base $list | default list) (get $over $list | default list) -}}
{{- $_ := set $merged $list (include "manilla.unique" (list $items $key) | fromYamlArray) -}}
{{- end -}}
{{- $_ := set $merged "envFrom" (concat (get $base "envFrom" | default list) (get $over "envFrom" | default list) | uniq) -}}
{{- toYaml $merged -}}
{{- end -}}

{{- /* The row of a service over the defaults, as YAML. Input: [root, name] */ -}}
{{- define "manilla.service" -}}
{{- $root := index . 0 -}}
{{- include "manilla.over" (list $root.Values.defaults (index $root.Values.services (index . 1))) -}}
{{- end -}}

{{- /*
What a pod that is no service's has of the defaults, under its own settings in `pods`. Sidecars are left to services: a Job with
one never ends. Input: [root, name in pods]
*/ -}}
{{- define "manilla.podRow" -}}
{{- $root := index . 0 -}}
{{- $base := omit $root.Values.defaults "extraContainers" "serviceAccountName" -}}
{{- include "manilla.over" (list $base (get $root.Values.pods (index . 1))) -}}
{{- end -}}

{{- /* A row without the chart's own priority class, which a hook comes before. Input: row */ -}}
{{- define "manilla.hookRow" -}}
{{- omit . "priority" | toYaml -}}
{{- end -}}

{{- /*
The same for a pod that talks to nothing of the operator's: where it runs and as whom, and no environment or volumes, which may
not be there yet. Input: [root, name in pods]
*/ -}}
{{- define "manilla.bareRow" -}}
{{- $root := index . 0 -}}
{{- $own := list "extraContainers" "serviceAccountName" "initContainers" "env" "extraEnv" "envFrom" "extraVolumes" "extraVolumeMounts" -}}
{{- $base := omit $root.Values.defaults "extraContainers" -}}
{{- range $own -}}{{- $base = omit $base . -}}{{- end -}}
{{- include "manilla.over" (list $base (get $root.Values.pods (index . 1))) -}}
{{- end -}}

{{- /* Labels and annotations of a pod. Input: [root, component, row] */ -}}
{{- define "manilla.podMetadata" -}}
{{- $row := index . 2 -}}
labels:
  {{- merge (include "manilla.labels" . | fromYaml) (deepCopy ($row.podLabels | default dict)) | toYaml | nindent 2 }}
{{- with $row.podAnnotations }}
annotations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- /* Where a pod runs, and as whom: the same settings for every pod. Input: [root, component, row, user] */ -}}
{{- define "manilla.pod" -}}
{{- $root := index . 0 -}}
{{- $row := index . 2 -}}
{{- with $row.serviceAccountName }}
serviceAccountName: {{ . }}
{{- end }}
automountServiceAccountToken: false
enableServiceLinks: false
{{- if $row.priorityClassName }}
priorityClassName: {{ $row.priorityClassName }}
{{- else if and $root.Values.priorityClasses.create $row.priority }}
priorityClassName: {{ include "manilla.fullname" $root }}-{{ $row.priority }}
{{- end }}
securityContext:
  {{- mergeOverwrite (include "manilla.podSecurity" (list $root (index . 3)) | fromYaml) (deepCopy ($row.podSecurityContext | default dict)) | toYaml | nindent 2 }}
{{- with $root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ kindIs "map" . | ternary (get (kindIs "map" . | ternary . dict) "name") . }}
  {{- end }}
{{- end }}
# Addresses are whole names: one question each, instead of one per search domain.
dnsConfig:
  options:
    - name: ndots
      value: "2"
{{- $selector := include "manilla.selector" . }}
{{- with $row.topologySpread }}
topologySpreadConstraints:
  {{- range . }}
  - maxSkew: 1
    topologyKey: {{ . }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{- $selector | nindent 8 }}
    matchLabelKeys: [pod-template-hash]
  {{- end }}
{{- end }}
{{- with $row.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $row.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $row.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- /* User and group of a pod; the platform's choice where `fixedUser` is off, as on OpenShift. Input: [root, user] */ -}}
{{- define "manilla.podSecurity" -}}
runAsNonRoot: true
{{- if (index . 0).Values.fixedUser }}
runAsUser: {{ index . 1 }}
runAsGroup: {{ index . 1 }}
fsGroup: {{ index . 1 }}
{{- end }}
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "manilla.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
runAsNonRoot: true
capabilities:
  drop: [ALL]
{{- end -}}

{{- /* An environment in which a name stands once, and a row's own value wins. Input: [rendered list, row] */ -}}
{{- define "manilla.envWith" -}}
{{- $row := index . 1 -}}
{{- $items := index . 0 | fromYamlArray -}}
{{- range $variable, $value := $row.env -}}
{{- $items = append $items (dict "name" $variable "value" $value) -}}
{{- end -}}
{{- include "manilla.unique" (list (concat $items ($row.extraEnv | default list)) "name") -}}
{{- end -}}

{{- /* Volumes of several rows, each once. Input: [whose, list of volumes] */ -}}
{{- define "manilla.onceEach" -}}
{{- $found := dict -}}
{{- range $volume := index . 1 -}}
{{- $other := get $found $volume.name -}}
{{- if and $other (ne (toJson $other) (toJson $volume)) -}}
{{- fail (printf "extraVolumes has two volumes named %s, and both would be in the pod of %s: name one of them otherwise" $volume.name (index $ 0)) -}}
{{- end -}}
{{- $_ := set $found $volume.name $volume -}}
{{- end -}}
{{- include "manilla.unique" (list (index . 1) "name") -}}
{{- end -}}

{{- /* A probe's settings. Input: the probe's row */ -}}
{{- define "manilla.probe" -}}
periodSeconds: {{ .periodSeconds }}
timeoutSeconds: {{ .timeoutSeconds }}
failureThreshold: {{ .failureThreshold }}
{{- end -}}
