{{- /*
Values that the schema cannot refuse, since each is possible and two together are not. Every template that begins a release asks
for it, so that an install ends with the names of the values before anything is made.
*/ -}}
{{- define "manilla.checks" -}}
{{- include "manilla.checkDatabases" . -}}
{{- range $name := splitList "," (include "manilla.names" .) -}}
{{- $row := include "manilla.service" (list $ $name) | fromYaml -}}
{{- include "manilla.checkService" (list $name $row) -}}
{{- end -}}
{{- include "manilla.checkResources" (list "partner.sandbox" .Values.partner.sandbox.resources) -}}
{{- include "manilla.checkResources" (list "mongodb.embedded" .Values.mongodb.embedded.resources) -}}
{{- include "manilla.checkResources" (list "redis.embedded" .Values.redis.embedded.resources) -}}
{{- include "manilla.checkResources" (list "migrations" .Values.migrations.resources) -}}
{{- if ge (int .Values.tls.renewAfterDays) (int .Values.tls.days) -}}
{{- fail (printf "tls.renewAfterDays is %d and tls.days %d: certificates would end before they are renewed" (int .Values.tls.renewAfterDays) (int .Values.tls.days)) -}}
{{- end -}}
{{- end -}}

{{- /* A secret that nothing reads would leave its owner believing that the data are there. */ -}}
{{- define "manilla.checkDatabases" -}}
{{- range $server := list "mongodb" "redis" -}}
{{- $values := index $.Values $server -}}
{{- if and $values.embedded.enabled $values.external.existingSecret -}}
{{- fail (printf "%s.external.existingSecret is %q and %s.embedded.enabled is true: only one server is used, so set %s.embedded.enabled to false, or leave the secret out" $server $values.external.existingSecret $server $server) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- /* Input: [name, row over the defaults] */ -}}
{{- define "manilla.checkService" -}}
{{- $name := index . 0 -}}
{{- $row := index . 1 -}}
{{- include "manilla.checkResources" (list (printf "services.%s" $name) $row.resources) -}}
{{- with ($row.resources.limits).memory -}}
{{- /* Both halves of the young generation and the one that is filled. */ -}}
{{- $heap := add (int $row.heapMb) (mul 3 (int $row.youngMb)) -}}
{{- $limit := include "manilla.mebibytes" . | float64 -}}
{{- if ge (float64 $heap) $limit -}}
{{- fail (printf "the heap of %s (heapMb %d and three times youngMb %d, of services.%s or defaults) does not fit below resources.limits.memory %v: its processes would be killed under load" $name (int $row.heapMb) (int $row.youngMb) $name .) -}}
{{- end -}}
{{- end -}}
{{- if and $row.autoscaling.enabled (gt (int $row.autoscaling.minReplicas) (int $row.autoscaling.maxReplicas)) -}}
{{- fail (printf "autoscaling.minReplicas %d of %s is above autoscaling.maxReplicas %d (services.%s or defaults)" (int $row.autoscaling.minReplicas) $name (int $row.autoscaling.maxReplicas) $name) -}}
{{- end -}}
{{- if ge (int $row.preStopSeconds) (int $row.terminationGracePeriodSeconds) -}}
{{- fail (printf "preStopSeconds %d of %s leaves nothing of terminationGracePeriodSeconds %d to drain in (services.%s or defaults)" (int $row.preStopSeconds) $name (int $row.terminationGracePeriodSeconds) $name) -}}
{{- end -}}
{{- if and (eq (toString $row.rollingUpdate.maxSurge) "0") (eq (toString $row.rollingUpdate.maxUnavailable) "0") -}}
{{- fail (printf "rollingUpdate.maxSurge and rollingUpdate.maxUnavailable of %s are both 0: no upgrade could begin (services.%s or defaults)" $name $name) -}}
{{- end -}}
{{- end -}}

{{- /* Kubernetes refuses the pod, long after the install has said that it is there. Input: [path, resources] */ -}}
{{- define "manilla.checkResources" -}}
{{- $path := index . 0 -}}
{{- $resources := index . 1 | default dict -}}
{{- $requests := $resources.requests | default dict -}}
{{- $limits := $resources.limits | default dict -}}
{{- if and $requests.memory $limits.memory -}}
{{- $request := include "manilla.mebibytes" $requests.memory | float64 -}}
{{- $limit := include "manilla.mebibytes" $limits.memory | float64 -}}
{{- if gt $request $limit -}}
{{- fail (printf "%s.resources.requests.memory %v is above resources.limits.memory %v" $path $requests.memory $limits.memory) -}}
{{- end -}}
{{- end -}}
{{- if and $requests.cpu $limits.cpu -}}
{{- if gt (include "manilla.cores" $requests.cpu | float64) (include "manilla.cores" $limits.cpu | float64) -}}
{{- fail (printf "%s.resources.requests.cpu %v is above resources.limits.cpu %v" $path $requests.cpu $limits.cpu) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- /* A quantity of memory, as the schema lets it through, in MiB with decimals. */ -}}
{{- define "manilla.mebibytes" -}}
{{- $text := toString . -}}
{{- $number := regexFind "^[0-9.]+(e[0-9+]+)?" $text -}}
{{- $unit := trimPrefix $number $text -}}
{{- $bytes := dict "" 1 "m" 0.001 "k" 1e3 "M" 1e6 "G" 1e9 "T" 1e12 "Ki" 1024 "Mi" 1048576 "Gi" 1073741824 "Ti" 1099511627776 -}}
{{- divf (mulf (float64 $number) (get $bytes $unit)) 1048576 -}}
{{- end -}}

{{- /* A quantity of CPU in cores, with decimals. */ -}}
{{- define "manilla.cores" -}}
{{- $text := toString . -}}
{{- hasSuffix "m" $text | ternary (divf (trimSuffix "m" $text | float64) 1000) (float64 (trimSuffix "m" $text)) -}}
{{- end -}}
